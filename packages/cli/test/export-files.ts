/** What exports hold, for tests: files opened again, and sessions made by hand. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { type TestHome, type TextFile, withHome } from '@dagline/testkit'
import { expect } from 'vitest'
import { dagline, onShape, ownFolders, type Ran } from './run.js'
import { RICH } from './shapes.js'

/** A home with some files in a project, a folder to export to, and the command in it. */
export async function onFiles<T>(
  files: readonly TextFile[],
  use: (run: (...words: string[]) => Ran, out: string, home: TestHome) => Promise<T> | T,
): Promise<T> {
  return await withHome(files, home => {
    const env = { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }
    return use((...words) => dagline(words, env), join(home.dir, 'out'), home)
  })
}

/** Records as the rows of a session, each hanging on the one before. */
export function sessionFile(
  session: string,
  records: readonly Readonly<Record<string, unknown>>[],
  project = '-home-dev-proj',
): TextFile {
  let parent: string | null = null
  const rows = records.map((record, at) => {
    if (!('uuid' in record)) return JSON.stringify({ ...record, sessionId: session })
    const time = new Date(Date.UTC(2026, 0, 1, 10, at)).toISOString()
    const base = {
      parentUuid: parent,
      isSidechain: false,
      cwd: '/home/ada/proj',
      sessionId: session,
      version: '2.1.325',
    }
    parent = String(record['uuid'])
    return JSON.stringify({ ...base, timestamp: time, ...record })
  })
  return { path: `${project}/${session}.jsonl`, text: `${rows.join('\n')}\n` }
}

let made = 0

function uuid(): string {
  return `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`
}

/** Something that was typed. */
export function prompt(content: unknown): Readonly<Record<string, unknown>> {
  return { uuid: uuid(), type: 'user', message: { role: 'user', content } }
}

/** Something that Claude said. */
export function answer(...content: unknown[]): Readonly<Record<string, unknown>> {
  const id = uuid()
  const usage = { input_tokens: 10, output_tokens: 20 }
  const message = {
    id: `msg_${id}`,
    role: 'assistant',
    model: 'claude-opus-4-5',
    type: 'message',
    content,
    usage,
    stop_reason: 'end_turn',
  }
  return { uuid: id, type: 'assistant', message }
}

/** A call, and its result on the next row. */
export function called(
  name: string,
  input: unknown,
  result: unknown,
  facts: unknown = {},
): readonly Readonly<Record<string, unknown>>[] {
  const id = `toolu_${++made}`
  const content = [{ type: 'tool_result', tool_use_id: id, content: result }]
  return [
    answer({ type: 'tool_use', id, name, input }),
    { uuid: uuid(), type: 'user', message: { role: 'user', content }, toolUseResult: facts },
  ]
}

/** The elements with data of an exported page, unpacked. */
export function unpackPage(html: string): ReadonlyMap<string, string> {
  const elements = html.matchAll(/<script type="text\/plain" id="([\w-]+)"[^>]*>([^<]*)<\/script>/g)
  return new Map(
    [...elements].map(([, id = '', packed = '']) => [
      id,
      inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8'),
    ]),
  )
}

/** Every text of a file or folder that was written, unpacked where it is packed. */
export function allText(path: string): string {
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return names.map(({ parentPath, name }) => textOf(join(parentPath, name))).join('\n')
}

/** The text of one file. */
export function textOf(path: string): string {
  const text = readFileSync(path, 'utf8')
  return path.endsWith('.html') ? [text, ...unpackPage(text).values()].join('\n') : text
}

/** Exports from a session with a little of everything into a folder of its home. */
export async function onRich<T>(use: (run: (...words: string[]) => Ran, out: string) => T): Promise<T> {
  return await onShape(RICH, (run, home) => use(run, join(home.dir, 'out')))
}

/** What was printed, by the words of the command: the session is always the same. */
const printed = new Map<string, Promise<string>>()

/** The session exported to standard output. */
export function print(format: string, ...words: string[]): Promise<string> {
  const key = [format, ...words].join(' ')
  const text = printed.get(key) ?? printRich(['--format', format, ...words])
  printed.set(key, text)
  return text
}

function printRich(words: readonly string[]): Promise<string> {
  return onRich(run => {
    const ran = run('export', 's1', '--out', '-', ...words)
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
    return ran.stdout
  })
}

/** The sheet of the session exported as a page. */
export async function sheetOf(...words: string[]): Promise<ReturnType<typeof JSON.parse>> {
  const page = unpackPage(await print('html', ...words))
  return JSON.parse(page.get('sheet') ?? '')
}
