/** Names, tags and notes that people gave, as they are in their file right now. */
import { statSync, unwatchFile, watchFile } from 'node:fs'
import type { GivenLabel } from '@dagline/core/protocol'
import { type Label, type Labels, NO_LABELS, readLabels } from '@dagline/store'

/** The labels of a file; they are read again only where it has changed. None without a file. */
export function openLabels(path: string | null): () => Labels {
  let known: { readonly stamp: string; readonly labels: Labels } | null = null
  return () => {
    if (path === null) return NO_LABELS
    const stats = statSync(path, { throwIfNoEntry: false })
    const stamp = stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`
    // One that cannot be understood gives none here; the command says what is wrong with it.
    if (known?.stamp !== stamp) known = { stamp, labels: readLabels(path).labels }
    return known.labels
  }
}

/** How often the file is looked at: the folder it lies in changes all the time. */
const EVERY = 1000

/** Calls back when the file changes, comes or goes. Returns what ends it. */
export function watchLabels(path: string | null, changed: () => void): () => void {
  if (path === null) return () => {}
  watchFile(path, { interval: EVERY, persistent: false }, changed)
  return () => unwatchFile(path, changed)
}

/** A label as the page gets it. */
export function givenLabel({ kind, id, name, tags, note }: Label): GivenLabel {
  return { kind, id, name, tags, note }
}
