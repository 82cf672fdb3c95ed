/** Errors of the file system and of the store: as diagnostics, and as exceptions with a message for the user. */
import { type Diagnostic, fileId } from '@dagline/core'

/** Why the store cannot do its work. */
export type FailureKind = 'busy' | 'read-only' | 'full' | 'damaged' | 'unreachable'

/** The store cannot do its work. The message says what happened and what to do. */
export class StoreError extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

type Thing = 'path' | 'file' | 'folder' | 'link'

const VANISHED: Readonly<Record<Thing, string>> = {
  path: 'There is no such file or folder.',
  file: 'The file is not there any more, or its name is not UTF-8; it may have moved to another folder.',
  folder: 'The folder is not there any more, or its name is not UTF-8; it may have moved.',
  link: 'The link leads nowhere.',
}

/** A file or folder that could not be read, as a diagnostic; `path` is relative to the root it was found under. */
export function failureOf(error: unknown, path: string, what: Thing): Diagnostic {
  const code = codeOf(error)
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ESTALE')
    return { ...notice('store/vanished', path, VANISHED[what]), severity: 'warning' }
  if (code === 'ELOOP')
    return unreadable(
      path,
      what === 'link' ? 'The link leads to itself.' : `The ${what} is a link that leads to itself.`,
    )
  return unreadable(path, `The ${what} could not be read: ${reasonFor(error)}.`)
}

/** Whether a diagnostic says that bytes are missing: a file or folder that is there and was not read whole. */
export function isReadFailure({ rule }: Pick<Diagnostic, 'rule'>): boolean {
  return rule === 'store/unreadable'
}

/** Whether the disk itself failed: what else it would say at this moment is not to be relied on. */
export function isDiskError({ message }: Pick<Diagnostic, 'message'>): boolean {
  return message.endsWith(`${REASONS['EIO']}.`)
}

/** An error about one path. */
export function unreadable(path: string, message: string): Diagnostic {
  return { ...notice('store/unreadable', path, message), severity: 'error' }
}

/** Something worth knowing about one path, and fully understood. */
export function notice(rule: `store/${string}`, path: string, message: string): Diagnostic {
  return { rule, severity: 'info', file: fileId(path), row: null, node: null, message }
}

/** The system's name of an error (`ENOENT`), or null for anything else. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'it is a folder',
  EMFILE: 'too many open files',
  EIO: 'the disk reports an error',
  ELOOP: 'it is a link that leads to itself',
  ENAMETOOLONG: 'its path is too long',
  ENOENT: 'it is not there any more',
}

/** Why something could not be read. Messages of Node name absolute paths; a diagnostic must not. */
export function reasonFor(error: unknown): string {
  const code = codeOf(error)
  if (code !== null) return REASONS[code] ?? code
  return error instanceof Error ? error.name : 'unknown reason'
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'Check its permissions and those of its folder, then try again.',
  EPERM: 'Check its permissions and those of its folder, then try again.',
  EIO: 'Check the disk, then try again.',
  ELOOP: 'Remove the link, then try again.',
}

/** What to do about something that could not be read. */
export function adviceFor(code: string | null): string {
  return ADVICE[code ?? ''] ?? 'Try again when nothing writes to it.'
}
