/** What a row says, as the page gets it: blocks of plain text and plain data, never markup. */

/** Texts longer than this are cut on the way; the rest is asked for. */
export const CONTENT_LIMIT = 24_000

/** A text, and how long it is in all where the end is missing. */
export interface CutText {
  readonly text: string
  readonly cut: number | null
}

/** One block of a row. */
export type Block =
  /** Words of a person or of Claude: Markdown. */
  | { readonly kind: 'text'; readonly text: CutText }
  | { readonly kind: 'thinking'; readonly text: CutText; readonly isHidden: boolean }
  | ({ readonly kind: 'call' } & ToolCallContent)
  /** A result whose call stands elsewhere. */
  | ({ readonly kind: 'result'; readonly tool: string | null } & ToolResultContent)
  | { readonly kind: 'image'; readonly image: ImageContent }
  /** A slash command, shell command or notification in plain parts. */
  | {
      readonly kind: 'command'
      readonly name: string
      readonly args: string
      readonly output: CutText | null
    }
  /** What Claude Code adds by itself: hooks, reminders, attachments. Plain text under a label. */
  | { readonly kind: 'note'; readonly label: string; readonly text: CutText }
  | { readonly kind: 'error'; readonly text: CutText }

/** A tool call with its result. */
export interface ToolCallContent {
  readonly id: string
  readonly name: string
  /** As recorded, with long texts cut. */
  readonly input: Readonly<Record<string, unknown>>
  /** Null where none was recorded, and where it is late. */
  readonly result: ToolResultContent | null
  /** T4: the uuid of the row with the result, where the assistant went on before it came: it is shown there. */
  readonly late?: string
  /** Index into the sheet's lines: the agent that it started; null for none. */
  readonly agent: number | null
}

/** The result of a tool call. */
export interface ToolResultContent {
  readonly state: 'ok' | 'error' | 'denied' | 'interrupted' | 'spilled'
  readonly text: CutText
  readonly images: readonly ImageContent[]
  /** What Claude Code recorded of it beside the text (`toolUseResult`), with long texts cut. */
  readonly facts: Readonly<Record<string, unknown>> | null
  /** The uuid of the row with the result. */
  readonly node: string
  readonly time: number | null
  /** A result that was too large for the transcript: where its text is. */
  readonly spilled: string | null
}

/** A picture: its bytes here, or where to get them. */
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
