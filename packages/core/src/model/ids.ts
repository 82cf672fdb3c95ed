/** Branded ids: a plain string does not compile as an id. Each brand has one function that makes it, here. */
declare const brand: unique symbol

/** A `T` that only the function of its brand makes. */
export type Brand<T, B extends string> = T & { readonly [brand]: B }

/** The uuid of an entry: the identity of a node within a project. */
export type EntryId = Brand<string, 'EntryId'>
/** The id of a session, as its entries carry it. */
export type SessionId = Brand<string, 'SessionId'>
/** The id of a subagent: the stem of its file without `agent-`, or made from the root of an inline sidechain. */
export type AgentId = Brand<string, 'AgentId'>
/** The id that joins a tool call and its result. */
export type ToolUseId = Brand<string, 'ToolUseId'>
/** The id of an API message: all assistant entries with the same one are parts of it. */
export type MessageId = Brand<string, 'MessageId'>
/** A file's path, relative to the root it was found under, with `/`. */
export type FileId = Brand<string, 'FileId'>
/** Milliseconds since 1970. */
export type Instant = Brand<number, 'Instant'>

/** Brands the uuid of an entry. Nothing is checked: the format belongs to Claude Code, and any string may be an id. */
export const entryId = (text: string): EntryId => text as EntryId
/** Brands the id of a session. */
export const sessionId = (text: string): SessionId => text as SessionId
/** Brands the id of a subagent. */
export const agentId = (text: string): AgentId => text as AgentId
/** Brands the id of a tool call. */
export const toolUseId = (text: string): ToolUseId => text as ToolUseId
export const messageId = (text: string): MessageId => text as MessageId
/** Brands a path as that of a file. */
export const fileId = (text: string): FileId => text as FileId
export const instant = (ms: number): Instant => ms as Instant
