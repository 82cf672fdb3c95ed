/** What a command sees of the world: the history, where it prints, how wide and in which colors. */
import { spawn } from 'node:child_process'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { type FaceHistory, type Host, jsonLines, openFaceHistory, type Pieces } from '@dagline/app'
import { type Style, styleFor } from './print/style.js'

/** Options that every command takes. */
export interface CommonOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly color: boolean
  readonly root: readonly string[]
}

/** Fields of JSON output, in their order. */
export type Facts = Readonly<Record<string, unknown>>

/** The console of a command. */
export interface Console extends Host {
  /** The history that commands ask. */
  readonly history: FaceHistory
  readonly options: CommonOptions
  readonly style: Style
  /** Columns of the terminal, or a fixed number without one. */
  readonly width: number
  readonly isTerminal: boolean
  /** Prints data, line by line. */
  readonly print: (lines: Iterable<string>) => Promise<void>
  /** Prints data as it is. Like `print`, it ends early when the reader of a pipe has gone. */
  readonly write: (pieces: Pieces) => Promise<void>
  /** Prints one JSON object, with the version of the format. A field `{ list }` is written item by item. */
  readonly printJson: (fields: Facts) => Promise<void>
  /** The same through a pager, on a terminal. Without a pager the lines are made a second time. */
  readonly page: (make: () => Iterable<string>) => Promise<void>
}

const WIDTH_WITHOUT_TERMINAL = 120
const CHUNK = 64 * 1024

/** The console of this process. */
export function openConsole(options: CommonOptions): Console {
  const { stdout, stderr, env } = process
  const isTerminal = stdout.isTTY === true
  const hasColors = isTerminal && options.color && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const write = writerTo(stdout)
  const print: Console['print'] = lines => write(chunksOf(lines))
  const hasProgress = stderr.isTTY === true && !options.quiet
  const host: Host = {
    roots: options.root,
    note: text => {
      if (!options.quiet) stderr.write(`${text}\n`)
    },
    progress: text => {
      if (hasProgress) stderr.write(text === null ? '\r\u001b[K' : `\r\u001b[K${text}`)
    },
    unread: new Map(),
    fail: () => {
      process.exitCode = 1
    },
  }
  return {
    ...host,
    history: openFaceHistory({ host }),
    options,
    style: styleFor(hasColors),
    width: isTerminal ? Math.max(40, stdout.columns || 80) : WIDTH_WITHOUT_TERMINAL,
    isTerminal,
    print,
    write,
    printJson: fields => print(jsonLines(Object.entries({ dagline: 1, ...fields }))),
    page: async make => {
      if (!isTerminal || !(await showPaged(chunksOf(make()), env))) await print(make())
    },
  }
}

/** Writes piece by piece and pauses between them, so that the loss of the reader (EPIPE) is noticed. */
function writerTo(stream: NodeJS.WriteStream): Console['write'] {
  let isGone = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    isGone = true
  })
  return async pieces => {
    for await (const piece of pieces) {
      await new Promise<void>(resolve => void stream.write(piece, () => resolve()))
      await setImmediate()
      if (isGone) return
    }
  }
}

function* chunksOf(lines: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/** The exit code of a shell for a command that does not exist. */
const NO_SUCH_COMMAND = 127

/**
 * Shows text in a pager, as git does: `PAGER`, else `less`; an empty `PAGER` is none. Returns false where there is none:
 * nothing was shown then.
 */
async function showPaged(pieces: Iterable<string>, env: NodeJS.ProcessEnv): Promise<boolean> {
  const command = env['PAGER'] ?? 'less'
  if (command.trim() === '' || process.platform === 'win32') return false
  // F: not for less than a screen, R: colors, X: what was shown stays.
  const pager = spawn(command, {
    shell: true,
    env: { LESS: 'FRX', ...env },
    stdio: ['pipe', 'inherit', 'ignore'],
  })
  // An interrupt is for the pager: it ends itself, and this process with it.
  process.on('SIGINT', ignore)
  const ended = new Promise<number | null>(resolve => {
    pager.on('error', () => resolve(NO_SUCH_COMMAND))
    pager.on('close', resolve)
  })
  await pipeline(pieces, pager.stdin).catch(ignoreLeaving)
  const code = await ended
  process.off('SIGINT', ignore)
  return code !== NO_SUCH_COMMAND
}

function ignore(): void {}

/** The pager may end before it has read everything. */
function ignoreLeaving(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
}

/** What could not be read, as a field of JSON output; none where everything was. */
export function unreadField({ unread }: Console): Facts {
  const list = [...unread.values()].map(({ path, message }) => ({ path, message }))
  return list.length === 0 ? {} : { unread: { list } }
}
