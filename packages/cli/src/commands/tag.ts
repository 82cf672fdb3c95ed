/** `dagline tag`: words to find sessions, branches and entries by. */
import { countTags, jsonLines, type Label, labelOf, plainTag, UserError } from '@dagline/app'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { labelRecord, shortLabelId, tagLines } from '../print/names.js'

/** Adds `dagline tag`. */
export function addTag(program: Command): void {
  const made = command(
    program,
    'tag [ref] [tag...]',
    'Tag a session, a branch or an entry, or list the tags with their counts.',
  ).option('--remove', 'remove these tags, or all tags if none is given')
  const act: Action = async (console, words, { remove }) => {
    await tag(console, words, remove === true)
  }
  finish(made, act, [
    'dagline tag latest shop money',
    'dagline ls --tag money',
    'dagline tag latest money --remove',
    'dagline tag',
  ])
}

/** Lists the tags with their counts, shows those of one thing, gives some, or takes some away. */
async function tag(console: Console, words: readonly string[], isRemoved: boolean): Promise<void> {
  const [ref, ...tags] = words
  if (ref === undefined) {
    if (isRemoved) throw new UserError('Say from what: dagline tag REF TAG... --remove.')
    return await listTags(console)
  }
  const thing = await console.history.find(ref)
  const before = labelOf(console.history.labels(), thing)
  if (isRemoved) refuseAbsent(ref, before, tags)
  const isAsking = !isRemoved && tags.length === 0
  const label = isAsking
    ? before
    : console.history.label(thing, isRemoved ? { removeTags: tags } : { addTags: tags })
  await tell(console, label)
}

function refuseAbsent(ref: string, { tags: present }: Label, tags: readonly string[]): void {
  const absent = tags.map(plainTag).filter(tag => !present.includes(tag))
  const has = present.length === 0 ? 'no tags' : `the tags ${present.join(', ')}`
  if (absent.length > 0 || present.length === 0)
    throw new UserError(
      `${ref} is not tagged ${absent.join(', ')}: it has ${has}.`.replace(' is not tagged :', ':'),
    )
}

async function tell(console: Console, label: Label): Promise<void> {
  if (console.options.json) {
    await console.print(jsonLines(Object.entries({ dagline: 1, ...labelRecord(label) })))
    return
  }
  const { tags } = label
  const what = `The ${label.kind} ${shortLabelId(label)}`
  console.note(tags.length === 0 ? `${what} has no tags.` : `${what} is tagged ${tags.join(', ')}.`)
}

async function listTags(console: Console): Promise<void> {
  const tags = countTags(console.history.labels())
  if (console.options.json) {
    const list = [...tags].map(([name, count]) => ({ tag: name, count }))
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['tags', { list }],
      ]),
    )
  } else if (tags.size > 0) await console.print(tagLines(console, tags))
  if (tags.size === 0) console.note('Nothing is tagged yet: dagline tag REF TAG... does it.')
}
