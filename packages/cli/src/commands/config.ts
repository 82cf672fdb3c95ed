/** U9: `dagline config`: defaults for options, and prices of models. */
import {
  changeSetting,
  findSetting,
  readSettings,
  SETTINGS,
  type Setting,
  settingsFile,
  UserError,
  unknownSetting,
} from '@dagline/app'
import { type AddCommand, defineCommand } from '../command.js'
import type { Console } from '../console.js'
import { type Column, tableLines } from '../print/table.js'

/** Characters of the longest key in the help. */
const WIDTH = Math.max(...SETTINGS.map(({ key }) => key.length))

type Act = (console: Console, key: string, words: readonly string[]) => Promise<void>

/** What can be done with settings. */
export const ACTIONS: Readonly<Record<string, Act>> = { list, get, set, unset }

export const configCommand: AddCommand = defineCommand({
  usage: 'config [action] [key] [value...]',
  description:
    'List, get, set or unset settings: defaults for options, such as roots and theme, and prices of models.',
  isEverywhere: true,
  examples: [
    'dagline config',
    'dagline config set theme dark',
    'dagline config get theme',
    'dagline config set roots ~/.claude/projects /backup/projects',
    'dagline config set redact secrets,paths,emails',
    'dagline config set prices.claude-opus-5-5 input=4 output=20 cacheRead=0.2',
    'dagline config unset theme',
  ],
  notes: `
${SETTINGS.map(({ key, about, expected }) => `  ${key.padEnd(WIDTH)} ${about}\n${''.padEnd(WIDTH + 3)}(${expected})`).join('\n')}

An option overrides the environment variable of a setting (such as DAGLINE_THEME), and the variable overrides the
file: dagline/config.json in XDG_CONFIG_HOME or ~/.config. Cache prices that are not given are derived from the price
of input, as in the price list.
`,
  run: async (console, [action = 'list', key = '', ...words]) => {
    const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
    if (act === undefined)
      throw new UserError(`There is no action ${action}. Give one of ${Object.keys(ACTIONS).join(', ')}.`)
    if (action !== 'list' && key === '')
      throw new UserError(
        `Give a setting: \`dagline config ${action} KEY${action === 'set' ? ' VALUE' : ''}\`.`,
      )
    const extra = action === 'list' ? key : action === 'set' ? '' : (words[0] ?? '')
    if (extra !== '')
      throw new UserError(
        `\`dagline config ${action}\` takes no argument ${extra}. See \`dagline config --help\`.`,
      )
    await act(console, key, words)
  },
})

/** A setting as it counts now. */
interface Settled {
  readonly setting: Setting
  readonly key: string
  readonly value: string | null
  readonly source: 'variable' | 'file' | 'default'
}

async function list(console: Console): Promise<void> {
  await print(console, settled())
}

async function get(console: Console, key: string): Promise<void> {
  if (findSetting(key) === null) throw unknownSetting(key)
  const found = settled().find(each => each.key === key)
  if (console.options.json) return await print(console, found === undefined ? [] : [found])
  if (found === undefined || found.value === null)
    throw new UserError(`${key} is not set. Run \`dagline config set ${key} VALUE\`.`)
  await console.print([found.value])
}

async function set(console: Console, key: string, words: readonly string[]): Promise<void> {
  if (words.length === 0) throw new UserError(`Give a value: \`dagline config set ${key} VALUE\`.`)
  changeSetting(key, words)
  await report(console, key, 'is set')
}

async function unset(console: Console, key: string): Promise<void> {
  changeSetting(key, null)
  await report(console, key, 'is no longer set')
}

async function report(console: Console, key: string, what: string): Promise<void> {
  if (console.options.json)
    await print(
      console,
      settled().filter(each => each.key === key),
    )
  console.note(`${key} ${what} in ${settingsFile()}.`)
}

/** All settings, with a row for each model that has prices. */
function settled(): readonly Settled[] {
  const { values } = readSettings()
  return SETTINGS.flatMap(setting => {
    const keys = [...values.keys()].filter(key => findSetting(key) === setting)
    return (keys.length > 0 ? keys : [setting.key]).map(key => settle(setting, key, values))
  })
}

/** The command puts settings of the file into variables: one that says the same is from the file. */
function settle(setting: Setting, key: string, values: ReadonlyMap<string, unknown>): Settled {
  const stored = values.has(key) ? setting.text(values.get(key)) : null
  const variable = setting.key === 'prices' ? undefined : process.env[setting.variable]
  if (variable !== undefined && variable !== stored)
    return { setting, key, value: variable, source: 'variable' }
  return { setting, key, value: stored, source: stored === null ? 'default' : 'file' }
}

async function print(console: Console, rows: readonly Settled[]): Promise<void> {
  const { problems } = readSettings()
  if (console.options.json) {
    const settings = rows.map(({ setting: { variable, about }, key, value, source }) => ({
      key,
      value,
      source,
      variable,
      about,
    }))
    return await console.printJson('config', {
      file: settingsFile(),
      settings: { list: settings },
      problems: { list: problems },
    })
  }
  await console.print(tableLines(rows, columns(console), console))
  for (const problem of problems) console.note(problem)
}

function columns({ style }: Console): readonly Column<Settled>[] {
  return [
    { title: 'setting', text: ({ key }) => key },
    { title: 'value', text: ({ value }) => value ?? '-' },
    { title: 'from', text: ({ source, setting }) => (source === 'variable' ? setting.variable : source) },
    { title: 'for', text: ({ setting }) => setting.about, paint: style.faint, flexible: true, wraps: true },
  ]
}
