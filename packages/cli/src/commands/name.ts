/** `dagline name`: names for sessions, branches and entries. */
import { labelOf, UserError } from '@dagline/app'
import { type AddCommand, defineCommand, flag } from '../command.js'
import { shared } from '../options.js'
import { labelFields, labelSubject, listLabels } from '../print/names.js'

export const nameCommand: AddCommand = defineCommand({
  usage: 'name [ref] [name...]',
  description: 'Name a session, a branch or an entry (the name is then a REF), or list the names.',
  options: { remove: flag(...shared('remove')) },
  examples: [
    'dagline name latest tax-rewrite',
    'dagline name 019c5be1@07e8e1e4-cc4 decimal-attempt',
    'dagline log tax-rewrite',
    'dagline name decimal-attempt --remove',
    'dagline name',
  ],
  run: async (console, [ref, ...words], { remove }) => {
    if (ref === undefined && !remove)
      return await listLabels(
        console,
        'name',
        'Nothing has a name yet. Run `dagline name REF NAME` to give one.',
      )
    const name = words.join(' ')
    if (ref === undefined || (!remove && name === ''))
      throw new UserError('Give a REF and its name: `dagline name REF NAME`.')
    if (remove && name !== '')
      throw new UserError('Give only the REF with --remove: `dagline name REF --remove`.')
    const labelled = await console.history.find(ref)
    const before = labelOf(console.history.labels(), labelled)
    if (remove && before.name === null)
      throw new UserError(`${ref} has no name. Run \`dagline name\` to list the names.`)
    const label = console.history.label(labelled, { name: remove ? null : name })
    if (console.options.json) await console.printJson('name', labelFields(label))
    const subject = labelSubject(labelled)
    console.note(
      remove ? `${subject} is no longer named ${before.name}.` : `${subject} is now named ${label.name}.`,
    )
  },
})
