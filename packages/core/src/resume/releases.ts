/**
 * What releases of Claude Code do differently when they load a transcript. Each trait was found by resuming broken
 * files with the real CLI (docs/LAB.md); a release between two that were tried is taken to do as the older one.
 */

/** How a release loads. */
export interface Release {
  /** The release that was tried. */
  readonly version: string
  /** The entry just before in time replaces a missing parent, if it is less than five seconds older. */
  readonly bridgesGaps: boolean
  /** What it does in a cycle of parents: never ends, stops, or goes on as after a missing parent. */
  readonly cycles: 'hangs' | 'stops' | 'bridges'
  /**
   * Parts of a message and results that hang beside the chain: forgotten, put back where they hang on a part, or put back
   * wherever the result of a call stands.
   */
  readonly gathers: 'nothing' | 'by-parent' | 'by-call'
  /** Entries that a compaction kept: not known, all between the two ends, or those that it lists. */
  readonly kept: 'none' | 'segment' | 'list'
  /**
   * Of files above 5 MiB: all; what stands behind the newest compaction that kept nothing; or of that only what stands on
   * the line of parents.
   */
  readonly large: 'whole' | 'compacted' | 'line'
  /** Progress entries: no entries at all, entries like others, or stepped over. */
  readonly progress: 'unknown' | 'entry' | 'skipped'
  /**
   * The end of the conversation: the entry with the latest time; the last row, where the file has several ends; or what
   * the note of the last entry (`last-prompt`) says, and the last row where it says nothing.
   */
  readonly endsBy: 'time' | 'row' | 'note'
  /** Without any note a last row that is not the newest counts as written again: the latest entry below it is the end. */
  readonly endsBelowRepeat: boolean
  /** A noted call or result is not the end where the last row goes on from another call of its message. */
  readonly notesWholeMessages: boolean
  /** Sidechain rows in the main file can be where the conversation goes on. */
  readonly followsSidechains: boolean
  /** JSON is read from where a row begins, over several rows, and what stands behind it is not; else rows are one object. */
  readonly readsFirstOfRow: boolean
  /** Results without a call are left out; so are further results of one call. */
  readonly dropsStrayResults: boolean
  readonly dropsFurtherResults: boolean
  /** Messages of thinking only, and blank answers, are left out. */
  readonly dropsHollow: boolean
  /** So are blank prompts. */
  readonly dropsBlankPrompts: boolean
  /** The client puts words of its own into the first message: a blank prompt there is left out, too. */
  readonly joinsFirstPrompt: boolean
  /** Notices of failed requests are left out. */
  readonly dropsNotices: boolean
  /** A call that is open at the end of the file is kept, with a result that is made up. */
  readonly closesOpenCalls: boolean
}

const NEWEST: Release = {
  version: '2.1.325',
  bridgesGaps: true,
  cycles: 'bridges',
  gathers: 'by-call',
  kept: 'list',
  large: 'compacted',
  progress: 'skipped',
  endsBy: 'note',
  endsBelowRepeat: true,
  notesWholeMessages: true,
  followsSidechains: false,
  readsFirstOfRow: true,
  dropsStrayResults: true,
  dropsFurtherResults: true,
  dropsHollow: true,
  dropsBlankPrompts: true,
  joinsFirstPrompt: false,
  dropsNotices: true,
  closesOpenCalls: true,
}

const V197: Release = {
  ...NEWEST,
  version: '2.1.197',
  large: 'line',
  gathers: 'by-parent',
  joinsFirstPrompt: true,
  endsBelowRepeat: false,
  notesWholeMessages: false,
  closesOpenCalls: false,
}
const V101: Release = {
  ...V197,
  version: '2.1.101',
  large: 'compacted',
  cycles: 'stops',
  kept: 'segment',
  endsBy: 'row',
  dropsBlankPrompts: false,
  readsFirstOfRow: false,
}
const V41: Release = {
  ...V101,
  version: '2.1.41',
  large: 'whole',
  bridgesGaps: false,
  endsBy: 'time',
  gathers: 'nothing',
  kept: 'none',
  progress: 'entry',
  dropsFurtherResults: false,
}
const V2: Release = {
  ...V41,
  version: '2.0.64',
  cycles: 'hangs',
  progress: 'unknown',
  dropsStrayResults: false,
  dropsHollow: false,
}
const V1: Release = { ...V2, version: '1.0.66', followsSidechains: true, dropsNotices: false }

/** The releases that were tried, the newest first. */
export const RELEASES: readonly Release[] = [NEWEST, V197, V101, V41, V2, V1]

/** The release that loads as the given version does: the newest tried that is not newer; the oldest for older ones. */
export function releaseOf(version: string): Release {
  return RELEASES.find(release => compareVersions(release.version, version) <= 0) ?? V1
}

/** Orders versions by their numbers: 2.1.41 comes before 2.1.325. */
export const compareVersions: (a: string, b: string) => number = new Intl.Collator('en', { numeric: true })
  .compare
