/** `dagline tag`: words to find sessions, branches and entries by. */
import { countTags, type Label, labelOf, plainTag, UserError } from '@dagline/app'
import { type AddCommand, defineCommand, flag } from '../command.js'
import type { Console } from '../console.js'
import { shared } from '../options.js'
import { labelFields, labelSubject } from '../print/names.js'
import { figureColumn, tableLines } from '../print/table.js'

export const tagCommand: AddCommand = defineCommand({
  usage: 'tag [ref] [tag...]',
  description: 'Tag a session, a branch or an entry, or list the tags with their counts.',
  options: { remove: flag(...shared('remove', ': these tags, or all tags if none is given')) },
  examples: [
    'dagline tag latest shop money',
    'dagline ls --tag money',
    'dagline tag latest money --remove',
    'dagline tag',
  ],
  run: async (console, [ref, ...tags], { remove }) => {
    if (ref === undefined && remove) throw new UserError('Give a REF: `dagline tag REF TAG... --remove`.')
    if (ref === undefined) return await listTags(console)
    const labelled = await console.history.find(ref)
    const before = labelOf(console.history.labels(), labelled)
    if (remove) checkTags(ref, before, tags)
    const isShown = !remove && tags.length === 0
    const label = isShown
      ? before
      : console.history.label(labelled, remove ? { removeTags: tags } : { addTags: tags })
    if (console.options.json) return await console.printJson('tag', labelFields(label))
    const given = label.tags.length === 0 ? 'has no tags' : `is tagged ${label.tags.join(', ')}`
    console.note(`${labelSubject(label)} ${given}.`)
  },
})

function checkTags(ref: string, { tags: present }: Label, tags: readonly string[]): void {
  if (present.length === 0) throw new UserError(`${ref} has no tags. Run \`dagline tag\` to list all tags.`)
  const absent = tags.map(plainTag).filter(tag => !present.includes(tag))
  if (absent.length > 0)
    throw new UserError(`${ref} is not tagged ${absent.join(', ')}. Its tags are ${present.join(', ')}.`)
}

async function listTags(console: Console): Promise<void> {
  const list = [...countTags(console.history.labels())].map(([tag, count]) => ({ tag, count }))
  if (console.options.json) await console.printJson('tag', { tags: { list } })
  else {
    const name = {
      title: 'tag',
      text: ({ tag }: (typeof list)[number]) => `#${tag}`,
      paint: console.style.strong,
    }
    await console.print(tableLines(list, [name, figureColumn('count', ({ count }) => count)], console))
  }
  if (list.length === 0) console.note('Nothing has a tag yet. Run `dagline tag REF TAG...` to give one.')
}
