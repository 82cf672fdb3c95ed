/** The samples with control characters in every text, id, name of a field, file and folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJson, type TextFile } from '@dagline/testkit'
import { SAMPLES } from './run.js'

/** Window titles, the clipboard, hidden and blinking text, C1, direction, DEL and a return: as much as a file name can have. */
export const EVIL: string = '\u001b]52;c;ZXZpbA==\u0007\u001b[8m\u009b5m\u202e\u2066\u007f\u0085\r'
/** What only a text can have. */
const ONLY_IN_TEXT = '\u0000\ud800'

/** Fields by which a row is understood at all. Rows in which these are hostile stand at the end of each file. */
const KEPT: ReadonlySet<string> = new Set(['type', 'subtype', 'role', 'timestamp', 'operation'])

/** A session that has no further rows, so that it can be edited. */
export const WHOLE = 'f65205e5-b0eb-42e6-a635-16eb2e00876f'

/** An id as it is in the hostile files. */
export function hostile(id: string): string {
  return `${EVIL}${id}`
}

/** The files, below a projects root. */
export function hostileFiles(): readonly TextFile[] {
  const paths = readdirSync(SAMPLES, { recursive: true, withFileTypes: true })
    .filter(item => item.isFile())
    .map(item => join(item.parentPath, item.name).slice(SAMPLES.length + 1))
  return paths.map(path => ({
    path: path.split('/').map(hostileName).join('/'),
    text: hostileText(path, readFileSync(join(SAMPLES, path), 'utf8')),
  }))
}

function hostileName(name: string): string {
  const [, kind = '', rest = ''] = /^(agent-|)(.*)$/.exec(name) ?? []
  return name === 'subagents' ? name : `${kind}${hostile(rest)}`
}

function hostileText(path: string, text: string): string {
  if (!path.endsWith('.jsonl')) return JSON.stringify(hostileValue(JSON.parse(text)))
  const rows = text.trimEnd().split('\n')
  const records = rows.map(row => hostileValue(JSON.parse(row)))
  const last = records.findLast(record => isJson(record) && 'uuid' in record)
  const odd = path.includes(WHOLE) ? [] : oddRows(last)
  return `${[...records.map(record => JSON.stringify(record)), ...odd].join('\n')}\n`
}

/** Rows that are hostile where a row is understood, and rows that are not JSON. */
function oddRows(last: unknown): readonly string[] {
  const base = isJson(last) ? { ...last, parentUuid: last['uuid'] } : {}
  const odd = [...KEPT].map((field, at) => ({ ...base, uuid: `odd-${at}`, message: {}, [field]: '' }))
  const blocks = [{ type: EVIL }, { type: 'tool_use', id: EVIL, name: EVIL, input: { [EVIL]: EVIL } }]
  const message = { ...base, uuid: 'odd-blocks', type: 'assistant', message: { role: EVIL, content: blocks } }
  return [
    ...odd.map((record, at) => JSON.stringify({ ...record, [[...KEPT][at] ?? '']: hostile('odd') })),
    JSON.stringify(message),
    `{"type":"user",${EVIL} broken`,
    EVIL,
  ]
}

function hostileValue(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return KEPT.has(key) ? value : hostileString(value)
  if (Array.isArray(value)) return value.map(item => hostileValue(item, key))
  if (!isJson(value)) return value
  const fields = Object.entries(value).map(([name, item]) => [name, hostileValue(item, name)])
  return { ...Object.fromEntries(fields), [hostile('field')]: EVIL }
}

/** A text is not an id, and can have more; a path stays a path. */
function hostileString(text: string): string {
  if (/^\/\S+$/.test(text)) return text.replace(/[^/]+$/, hostile)
  return text.includes(' ') ? `${hostile(text)}${ONLY_IN_TEXT}` : hostile(text)
}
