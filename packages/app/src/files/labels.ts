/** N5: names, tags and notes that people gave, as they are in their file right now. */
import { statSync, unwatchFile, watchFile } from 'node:fs'
import {
  addTags,
  BadLabel,
  changeLabels,
  giveName,
  giveNote,
  type Label,
  type Labelled,
  type Labels,
  labelNamed,
  labelOf,
  labelsPath,
  NO_LABELS,
  readLabels,
  removeTags,
} from '@dagline/store'
import type { Host } from '../host/host.js'
import { UserError, userErrorOf } from '../host/user-error.js'

/** The labels of a file; they are read again only when it has changed. `note` receives why it cannot be understood. */
export function openLabels(path: string, note: (problem: string) => void = () => {}): () => Labels {
  let known: { readonly stamp: string; readonly labels: Labels } | null = null
  return () => {
    const stats = statSync(path, { throwIfNoEntry: false })
    const stamp = stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`
    if (known?.stamp === stamp) return known.labels
    const { labels, problem } = stats === undefined ? { labels: NO_LABELS, problem: null } : readLabels(path)
    if (problem !== null) note(problem)
    known = { stamp, labels }
    return labels
  }
}

/** By what copies of a host have in common. */
const opened = new WeakMap<Host['unread'], () => Labels>()

/** All labels of the user. Where their file cannot be understood there are none, and that is noted once. */
export function labelsFor(host: Host): Labels {
  const read = opened.get(host.unread) ?? openLabels(labelsPath(), host.note)
  opened.set(host.unread, read)
  return read()
}

/** The label with this name; null where nothing has it. */
export function namedBy(word: string, host: Host): Label | null {
  return labelNamed(labelsFor(host), word)
}

/** What becomes of a label: only what is given changes. */
export interface LabelChange {
  /** A name; null takes it away. */
  readonly name?: string | null
  readonly addTags?: readonly string[]
  /** Tags to take away; all where it is empty. */
  readonly removeTags?: readonly string[]
  /** A note; null takes it away. */
  readonly note?: string | null
}

/** Changes the label of a session, line or entry, and returns it. Throws `UserError` where it is not valid. */
export function changeLabel(thing: Labelled, change: LabelChange): Label {
  try {
    return labelOf(
      changeLabels(labels => changed(labels, thing, change)),
      thing,
    )
  } catch (error) {
    throw error instanceof BadLabel ? new UserError(error.message) : (userErrorOf(error) ?? error)
  }
}

function changed(
  labels: Labels,
  thing: Labelled,
  { name, addTags: added, removeTags: removed, note }: LabelChange,
): Labels {
  const named = name === undefined ? labels : giveName(labels, thing, name)
  const tagged = added === undefined ? named : addTags(named, thing, added)
  const untagged = removed === undefined ? tagged : removeTags(tagged, thing, removed)
  return note === undefined ? untagged : giveNote(untagged, thing, note)
}

/** How often the file is looked at: the folder it lies in changes all the time. */
const EVERY = 1000

/** Calls back when the file changes, comes or goes. Returns what ends it. */
export function watchLabels(path: string, changed: () => void): () => void {
  watchFile(path, { interval: EVERY, persistent: false }, changed)
  return () => unwatchFile(path, changed)
}
