/** The contents of rows for the page: blocks of plain text and data, never markup. */

/** Longer texts are cut; the page loads the rest on demand. */
export const CONTENT_LIMIT = 24_000

/** A text, and its whole length where it was cut. */
export interface CutText {
  readonly text: string
  readonly cut: number | null
}

/** One block of a row. */
export type Block =
  /** Text of a person or of Claude: Markdown. */
  | { readonly kind: 'text'; readonly text: CutText }
  | { readonly kind: 'thinking'; readonly text: CutText; readonly isHidden: boolean }
  | ({ readonly kind: 'call' } & ToolCallContent)
  /** A result whose call is in another row. */
  | ({ readonly kind: 'result'; readonly tool: string | null } & ToolResultContent)
  | { readonly kind: 'image'; readonly image: ImageContent }
  /** A slash command, shell command or notification in plain parts. */
  | {
      readonly kind: 'command'
      readonly name: string
      readonly args: string
      readonly output: CutText | null
    }
  /** Text that Claude Code adds: hooks, reminders, attachments. Plain text under a label. */
  | { readonly kind: 'note'; readonly label: string; readonly text: CutText }
  | { readonly kind: 'error'; readonly text: CutText }

/** A tool call with its result. */
export interface ToolCallContent {
  readonly id: string
  readonly name: string
  /** As recorded, with long texts cut. */
  readonly input: Readonly<Record<string, unknown>>
  /** Null where none was recorded, and where `late` is given. */
  readonly result: ToolResultContent | null
  /** T4: the uuid of the row that shows the result, where the assistant continued before it came. */
  readonly late?: string
  /** Index into the sheet's lines: the subagent that it started; null for none. */
  readonly agent: number | null
}

/** The result of a tool call. */
export interface ToolResultContent {
  readonly state: 'ok' | 'error' | 'denied' | 'interrupted' | 'spilled'
  readonly text: CutText
  readonly images: readonly ImageContent[]
  /** `toolUseResult`, with long texts cut. */
  readonly facts: Readonly<Record<string, unknown>> | null
  /** The uuid of the row with the result. */
  readonly node: string
  readonly time: number | null
  /** The file of a result that was too large for the transcript. */
  readonly spilled: string | null
}

/** An image: its bytes, or their address. */
export type ImageContent =
  | { readonly media: string; readonly data: string }
  | { readonly media: string; readonly href: string }

/** The contents of one row. */
export interface RowContent {
  readonly node: string
  readonly model: string | null
  readonly version: string | null
  /** Tokens of its message, at the message's first row. */
  readonly usage: { readonly input: number; readonly output: number; readonly cost: number | null } | null
  readonly blocks: readonly Block[]
}
