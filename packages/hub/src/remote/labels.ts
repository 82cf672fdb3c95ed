/** HU81: names, tags and notes for commands that ask a hub: those of the team, and the user's own. */
import { type FaceHistory, UserError } from '@dagline/app'
import type { Labels } from '@dagline/store'
import * as z from 'zod'
import { LABEL } from '../push/protocol.js'
import type { RemoteHub } from './client.js'

/** The labels of the sessions that the hub shows, and those of this machine, which count where both name the same. */
export async function labelsOn(hub: RemoteHub, home: FaceHistory): Promise<() => Labels> {
  const shared = await sharedLabels(hub)
  let made: { readonly own: Labels; readonly labels: Labels } | null = null
  return () => {
    const own = home.labels()
    if (made?.own !== own) made = { own, labels: new Map([...shared, ...own]) }
    return made.labels
  }
}

async function sharedLabels(hub: RemoteHub): Promise<Labels> {
  try {
    const { value } = await hub.ask('labels', {})
    return new Map((z.array(LABEL).safeParse(value).data ?? []).map(label => [label.id, label]))
  } catch (error) {
    // An older hub has none. Of one that cannot be reached, what the command asks for says so.
    if (error instanceof UserError) return new Map()
    throw error
  }
}
