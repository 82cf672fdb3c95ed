/** What a command sees of the world: the history, where it prints, how wide and in which colors. */
import { spawn } from 'node:child_process'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { type FaceHistory, type Host, jsonLine, jsonLines, openFaceHistory, type Pieces } from '@dagline/app'
import type { JsonCommand, JsonFields, JsonLine, Printable } from './json/fields.js'
import type { FromFiles } from './json/shared.js'
import {
  type Content,
  oneLine,
  outputText,
  textPieces,
  writeError,
  writeOut,
  writeProgress,
} from './output.js'
import { type Style, styleFor } from './print/style.js'
import { onOutputError } from './report.js'

/** When output has colors. */
export const COLOR_CHOICES = ['always', 'never', 'auto'] as const
export type ColorChoice = (typeof COLOR_CHOICES)[number]

/** Options that every command takes. */
export interface CommonOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly color: ColorChoice
  readonly root: readonly string[]
  /** Not only the project of the working directory. */
  readonly everywhere: boolean
  /** HU48: the hub to ask instead of this machine: empty for the one of the settings, null for none. */
  readonly hub: string | null
  /** Only what this person, or a machine of this name, pushed there. */
  readonly person: string | null
  readonly machine: string | null
}

/** The console of a command. */
export interface Console extends Host {
  /** The history that commands ask. */
  readonly history: FaceHistory
  readonly options: CommonOptions
  readonly style: Style
  /** O4: columns of the terminal, or of COLUMNS; infinite where the output goes into a pipe or a file. */
  readonly width: number
  readonly isTerminal: boolean
  /** Prints data, line by line. O1: each is printed as one line, without control characters. */
  readonly print: (lines: Iterable<string>) => Promise<void>
  /** Prints a file. Like `print`, it ends early when the reader of a pipe has gone. */
  readonly write: (pieces: Pieces, content: Content) => Promise<void>
  /** O3: prints the JSON object of a command, with the version of the format. */
  readonly printJson: <N extends JsonCommand>(command: N, fields: JsonFields<N>) => Promise<void>
  /** Prints JSON objects with the version of the format, each on one line. */
  readonly printJsonLines: <N extends JsonCommand>(
    command: N,
    objects: Iterable<JsonLine<N>>,
  ) => Promise<void>
  /** The same through a pager, on a terminal. Without a pager the lines are made a second time. */
  readonly page: (make: () => Iterable<string>) => Promise<void>
}

/** Narrower terminals are written to as if they had so many columns. */
const NARROWEST = 40
const CHUNK = 64 * 1024

/** The console of this process. `hub` answers instead of this machine, where it is not null. */
export async function openConsole(options: CommonOptions, hub: string | null): Promise<Console> {
  const { env } = process
  const isTerminal = process.stdout.isTTY === true
  const write = createWriter()
  const print: Console['print'] = lines => write(chunksOf(lines))
  const hasProgress = process.stderr.isTTY === true && !options.quiet
  const host: Host = {
    roots: options.root,
    here: options.everywhere || options.root.length > 0 ? null : process.cwd(),
    note: text => {
      if (!options.quiet) writeError(`${oneLine(text)}\n`)
    },
    progress: text => {
      if (hasProgress) writeProgress(text)
    },
    unread: new Map(),
    fail: () => {
      process.exitCode = 1
    },
  }
  return {
    ...host,
    history: hub === null ? openFaceHistory({ host }) : await openAsked(host, options, hub),
    options,
    style: styleFor(hasColors(options.color, isTerminal, env)),
    width: columnsOf(isTerminal, env),
    isTerminal,
    print,
    write: (pieces, content) => write(textPieces(pieces, content)),
    printJson: (_, fields) => print(jsonLines(Object.entries({ dagline: 1, ...fields }))),
    printJsonLines: (_, objects) => print(jsonObjects(objects)),
    page: async make => {
      if (!isTerminal || !(await showPaged(outputPieces(make()), env))) await print(make())
    },
  }
}

/** What a hub needs is loaded only where one is asked. */
async function openAsked(host: Host, { person, machine }: CommonOptions, hub: string): Promise<FaceHistory> {
  const { openHubHistory } = await import('@dagline/hub')
  return await openHubHistory({ ...host, here: null }, { url: hub || null, person, machine })
}

type Environment = Readonly<Record<string, string | undefined>>

/** O4: the option decides, then the environment, then the settings, then whether a person reads it. */
export function hasColors(when: ColorChoice, isTerminal: boolean, env: Environment): boolean {
  if (when !== 'auto') return when === 'always'
  if (env['NO_COLOR']) return false
  const forced = env['FORCE_COLOR'] ?? env['CLICOLOR_FORCE'] ?? ''
  if (forced !== '') return forced !== '0' && forced !== 'false'
  const settled = env['DAGLINE_COLOR'] ?? 'auto'
  if (settled !== 'auto') return settled === 'always'
  return isTerminal && env['TERM'] !== 'dumb'
}

/** O4: what goes into a pipe is not cut, because the reader may need any part of it. */
export function columnsOf(isTerminal: boolean, env: Environment): number {
  const given = Number(env['COLUMNS'])
  if (Number.isInteger(given) && given > 0) return Math.max(NARROWEST, given)
  return isTerminal ? Math.max(NARROWEST, process.stdout.columns || 80) : Number.POSITIVE_INFINITY
}

type Texts = Iterable<string> | AsyncIterable<string>

/** Writes piece by piece and pauses between them, so that the loss of the reader (EPIPE) is noticed. */
function createWriter(): (pieces: Texts) => Promise<void> {
  let isGone = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    onOutputError(error)
    isGone = true
  })
  return async pieces => {
    for await (const piece of pieces) {
      await writeOut(piece)
      await setImmediate()
      if (isGone) return
    }
  }
}

function* chunksOf(lines: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const line of lines) {
    chunk += `${oneLine(line)}\n`
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/** Lines for the pager, which writes them itself. */
function* outputPieces(lines: Iterable<string>): Generator<string> {
  for (const chunk of chunksOf(lines)) yield outputText(chunk)
}

function* jsonObjects(objects: Iterable<object>): Generator<string> {
  for (const fields of objects) yield jsonLine({ dagline: 1, ...fields })
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
    // Without a language less takes every character beyond ASCII for a binary one.
    env: { LESS: 'FRX', LESSCHARSET: 'utf-8', ...env },
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
export function unreadField({ unread }: Console): Printable<FromFiles> {
  const list = [...unread.values()].map(({ path, message }) => ({ path, message }))
  return list.length === 0 ? {} : { unread: { list } }
}
