/** From the options of `search` to what the index is asked. */
import type { TextField } from '@dagline/core'
import type { TextFilter } from '@dagline/store'
import type { SearchCommand } from '../commands/search.js'
import { Refusal } from '../console.js'

type Options = Readonly<Record<string, unknown>>

/** The fields that each role has written. */
const FIELDS: Readonly<Record<string, readonly TextField[]>> = {
  human: ['prompt', 'queued'],
  claude: ['answer'],
  thinking: ['thinking'],
  tool: ['input', 'output'],
  system: ['note'],
  queued: ['queued'],
}

/** Reads the options; refuses what cannot be meant. */
export function searchOptions(options: Options): SearchCommand {
  const pattern = textIn(options, 'regex')
  return {
    index: textIn(options, 'index'),
    filter: filterOf(options),
    pattern: pattern === null ? null : patternOf(pattern),
    limit: limitOf(textIn(options, 'limit') ?? '20'),
  }
}

function filterOf(options: Options): TextFilter {
  const roles = Array.isArray(options['role']) ? options['role'].map(String) : []
  const agent = options['agent'] === true ? '' : textIn(options, 'agent')
  const branch = textIn(options, 'branch')
  const times = {
    since: timeOf(textIn(options, 'since'), false),
    until: timeOf(textIn(options, 'until'), true),
  }
  return {
    ...given('project', textIn(options, 'project')),
    ...given('session', textIn(options, 'session')),
    ...given('tool', textIn(options, 'tool')),
    ...given('touched', textIn(options, 'file')),
    ...given('agent', agent),
    ...given('since', times.since),
    ...given('until', times.until),
    ...(roles.length === 0 ? {} : { fields: roles.flatMap(role => FIELDS[role] ?? []) }),
    ...(branch === 'live' || branch === 'abandoned' ? { branch } : {}),
    ...(options['beforeCompaction'] === true ? { beforeCompaction: true } : {}),
    ...(options['errors'] === true ? { failed: true } : {}),
  }
}

function given<K extends string, V>(name: K, value: V | null): { readonly [key in K]?: V } {
  return value === null ? {} : record(name, value)
}

function record<K extends string, V>(name: K, value: V): { readonly [key in K]?: V } {
  const made: { [key in K]?: V } = {}
  made[name] = value
  return made
}

function textIn(options: Options, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'giu')
  } catch {
    throw new Refusal(`${text} is no pattern: signs like ( and [ need a backslash to mean themselves.`)
  }
}

function limitOf(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new Refusal(`--limit ${text} is no number of texts: give 1 or more.`)
}

/** A date or time in the zone of the machine; `isEnd` takes the end of the day, month or year. */
function timeOf(text: string | null, isEnd: boolean): number | null {
  if (text === null) return null
  const parts = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?)?)?$/.exec(text)
  if (parts === null) {
    const exact = Date.parse(text)
    if (!Number.isNaN(exact)) return exact
    throw new Refusal(`${text} is no date: give 2026-03-01, 2026-03, 2026 or 2026-03-01T10:00.`)
  }
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map(part => (part === undefined ? undefined : Number(part)))
  if (parts[4] !== undefined || !isEnd) return new Date(year, month - 1, day, hour, minute, second).getTime()
  if (parts[3] !== undefined) return new Date(year, month - 1, day + 1).getTime()
  return parts[2] === undefined ? new Date(year + 1, 0).getTime() : new Date(year, month).getTime()
}
