/** N5: names, tags and notes that people gave: read once, shown wherever what has them is named. */
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
  readLabels,
  removeTags,
} from '@dagline/store'
import type { Host } from '../host/host.js'
import { userErrorOf } from '../host/store-errors.js'
import { UserError } from '../host/user-error.js'

let known: Labels | null = null

/** All labels. Where their file cannot be understood there are none, and that is said once. */
export function labelsFor(host: Host): Labels {
  if (known !== null) return known
  const { labels, problem } = readLabels()
  if (problem !== null) host.note(problem)
  known = labels
  return labels
}

/** What somebody gave this name; null where nothing has it. */
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
    known = changeLabels(labels => changed(labels, thing, change))
    return labelOf(known, thing)
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
