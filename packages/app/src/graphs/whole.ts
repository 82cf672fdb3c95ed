/** E12: projects that were read whole: what edits and exports are made from. */
import { StoreError, type WholeSources, wholeSources } from '@dagline/store'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import type { LoadedProject } from './project.js'
import { refuseUnread } from './unread.js'

/** A project of which every file was read to its end. `sources` can be had from `wholeProject` only. */
export interface WholeProject extends LoadedProject {
  readonly sources: WholeSources
}

/** A project that was read with `isHashed`. Refuses where anything on the way to it could not be read. */
export function wholeProject(loaded: LoadedProject, host: Host): WholeProject {
  refuseUnread(host, loaded)
  try {
    return { ...loaded, sources: wholeSources(loaded.root, loaded.fingerprints) }
  } catch (error) {
    throw error instanceof StoreError ? new UserError(error.message) : error
  }
}
