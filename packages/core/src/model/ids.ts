/**
 * The names things have. Each brand is made at one door, here, and only by the parser: a plain string that
 * came from somewhere else does not compile as an id.
 */
declare const brand: unique symbol

/** A `T` that only its door can make. */
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
/** Epoch milliseconds. Formatting is the painter's work. */
export type Instant = Brand<number, 'Instant'>

/** Doors. They do not check: the format is owned by others, and any non-empty string may be an id. */
export const entryId = (text: string): EntryId => text as EntryId
/** Brands the id of a session. */
export const sessionId = (text: string): SessionId => text as SessionId
/** Brands the id of a subagent. Any non-empty string may be one: the format belongs to Claude Code. */
export const agentId = (text: string): AgentId => text as AgentId
/** Brands the id of a tool call. */
export const toolUseId = (text: string): ToolUseId => text as ToolUseId
export const messageId = (text: string): MessageId => text as MessageId
/** Brands a path as that of a file. */
export const fileId = (text: string): FileId => text as FileId
export const instant = (ms: number): Instant => ms as Instant
