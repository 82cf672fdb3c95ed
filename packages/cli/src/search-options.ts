/** From the options of `search` to what the index is asked. */
import { timeOf, UserError } from '@dagline/app'
import { isSearchRole, SEARCH_ROLES } from '@dagline/core/protocol'
import type { TextFilter } from '@dagline/store'
import type { SearchCommand } from './commands/search.js'
import { type Options, textIn } from './options.js'

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
    ...(roles.length === 0 ? {} : { fields: roles.filter(isSearchRole).flatMap(role => SEARCH_ROLES[role]) }),
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

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'giu')
  } catch {
    throw new UserError(`${text} is no pattern: signs like ( and [ need a backslash to mean themselves.`)
  }
}

function limitOf(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new UserError(`--limit ${text} is no number of texts: give 1 or more.`)
}
