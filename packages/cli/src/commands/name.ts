/** `dagline name`: names for sessions, branches and entries. */
import { findLabelled, jsonLines, labelsFor, relabel, UserError } from '@dagline/app'
import { giveName, labelOf } from '@dagline/store'
import type { Console } from '../console.js'
import { labelRecord, labelsWith, nameLines, shortLabelId } from '../print/names.js'

/** Lists the names, gives one, or takes one away. */
export async function name(console: Console, words: readonly string[], isRemoved: boolean): Promise<void> {
  const [ref, ...rest] = words
  if (ref === undefined && !isRemoved) return await listNames(console)
  const chosen = rest.join(' ')
  if (ref === undefined || (!isRemoved && chosen === ''))
    throw new UserError('Say what to name and how: dagline name REF NAME.')
  if (isRemoved && chosen !== '')
    throw new UserError('With --remove give the REF alone: a thing has one name.')
  const thing = findLabelled(ref, console)
  const before = labelOf(labelsFor(console), thing)
  if (isRemoved && before.name === null)
    throw new UserError(`${ref} has no name: \`dagline name\` lists the names.`)
  const label = labelOf(
    relabel(labels => giveName(labels, thing, isRemoved ? null : chosen)),
    thing,
  )
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
  const named = labelsWith(labelsFor(console), label => label.name !== null)
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
