/**
 * What the page can have done. An action is first previewed; the preview has a code that carries out just this action, once.
 *
 *   POST /api/actions          ActionRequest -> ActionPreview
 *   POST /api/actions/run      { code }      -> ActionOutcome
 *   GET  /api/actions          ActionsAllowed
 */

/** An action, as the command of the same name does it. */
export type ActionRequest =
  | { readonly kind: 'checkout' | 'fork'; readonly ref: string; readonly title: string | null }
  | {
      readonly kind: 'pick'
      readonly refs: readonly string[]
      readonly onto: string
      readonly title: string | null
    }
  | {
      readonly kind: 'trim'
      readonly session: string
      /** Results longer than this many characters are cut; null keeps them. */
      readonly outputs: number | null
      readonly images: boolean
      readonly thinking: boolean
      readonly progress: boolean
    }
  | { readonly kind: 'split'; readonly session: string; readonly at: string }
  | {
      readonly kind: 'repair'
      readonly session: string
      readonly isInPlace: boolean
      /** Also a repair that a resume loads less of than today, where no other holds. */
      readonly acceptsLoss: boolean
    }
  | { readonly kind: 'restore'; readonly session: string }
  | { readonly kind: 'archive' }
  | { readonly kind: 'undo'; readonly number: number | null }
  | {
      readonly kind: 'label'
      readonly ref: string
      /** Null takes it away. */
      readonly name: string | null
      readonly tags: readonly string[]
      readonly note: string | null
    }

/** What an action does, or did. */
export interface ActionOutcome {
  /** What is written, and what a resume loads of it, in sentences. */
  readonly sentences: readonly string[]
  /** What changes in rows, by kind. */
  readonly changes: readonly ActionChange[]
  /** The new sessions; of a repair in place the session itself. */
  readonly sessions: readonly string[]
  /** The command that resumes the first of them; null where there is none. */
  readonly resume: string | null
  /** The number by which it can be undone; null where it cannot, or nothing was written. */
  readonly edit: number | null
  /** Of a repair: what a resume loads today and not afterwards, to be confirmed; else null. */
  readonly loss: string | null
  /** Of an undo: the edits that can be undone, the newest first. */
  readonly edits: readonly EditChoice[]
}

/** An edit that can be undone. */
export interface EditChoice {
  readonly number: number
  /** What was done, and when. */
  readonly text: string
}

/** Changes of one kind, and the first reasons for them. */
export interface ActionChange {
  readonly what: string
  readonly count: number
  readonly why: readonly string[]
}

/** An action that was tried without writing anything. */
export interface ActionPreview extends ActionOutcome {
  /** Carries the action out, once, for ten minutes. */
  readonly code: string
  /** The same in a terminal. */
  readonly command: string
}

/** Whether the page may do anything, and why not. */
export interface ActionsAllowed {
  readonly isAllowed: boolean
  readonly why: string | null
}
