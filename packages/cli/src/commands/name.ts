/** `dagline name`: names for sessions, branches and entries. */
import { jsonLines, labelOf, UserError } from '@dagline/app'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { labelRecord, labelsWith, nameLines, shortLabelId } from '../print/names.js'

/** Adds `dagline name`. */
export function addName(program: Command): void {
  const made = command(
    program,
    'name [ref] [name...]',
    'Name a session, a branch or an entry (the name is then a REF), or list the names.',
  ).option('--remove', 'remove the name')
  const act: Action = async (console, words, { remove }) => {
    await name(console, words, remove === true)
  }
  finish(made, act, [
    'dagline name latest tax-rewrite',
    'dagline name a2a9607f@7e083490-abc decimal-attempt',
    'dagline log tax-rewrite',
    'dagline name decimal-attempt --remove',
    'dagline name',
  ])
}

/** Lists the names, gives one, or takes one away. */
async function name(console: Console, words: readonly string[], isRemoved: boolean): Promise<void> {
  const [ref, ...rest] = words
  if (ref === undefined && !isRemoved) return await listNames(console)
  const chosen = rest.join(' ')
  if (ref === undefined || (!isRemoved && chosen === ''))
    throw new UserError('Say what to name and how: dagline name REF NAME.')
  if (isRemoved && chosen !== '')
    throw new UserError('With --remove give the REF alone: a thing has one name.')
  const thing = await console.history.find(ref)
  const before = labelOf(console.history.labels(), thing)
  if (isRemoved && before.name === null)
    throw new UserError(`${ref} has no name: \`dagline name\` lists the names.`)
  const label = console.history.label(thing, { name: isRemoved ? null : chosen })
  if (console.options.json)
    await console.print(jsonLines(Object.entries({ dagline: 1, ...labelRecord(label) })))
  const what = `The ${thing.kind} ${shortLabelId(thing)}`
  console.note(
    isRemoved
      ? `${what} is no longer called ${before.name}.`
      : `${what} is called ${label.name} from now on.`,
  )
}

async function listNames(console: Console): Promise<void> {
  const named = labelsWith(console.history.labels(), label => label.name !== null)
  if (console.options.json) {
    const list = named.map(labelRecord)
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['labels', { list }],
      ]),
    )
  } else await console.print(nameLines(console, named))
  if (named.length === 0) console.note('Nothing has a name yet: dagline name REF NAME gives one.')
}
