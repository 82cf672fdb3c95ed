/** Transcripts that a program has at hand, opened without Node: files of a browser, bytes in memory, streams of bytes. */

export type { EntryContents } from './contents.js'
export { type OpenedProject, type OpenOptions, openFiles } from './project.js'
export type { BlobLike, FileBytes, GivenFile, NamedBlob } from './source.js'
