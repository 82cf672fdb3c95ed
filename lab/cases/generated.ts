/** Generated sessions: whole conversations in the style of each release, and random mixtures of broken links. */
import { generate, objectOf, parseJson, STYLE_NAMES, type StyleName } from '@dagline/testkit'
import { advised, repaired } from './advised.ts'
import { asItIs, type CaseSource, type FoundSession, foundSession } from './case.ts'
import { randomSession } from './random.ts'

/** The recorder's styles have sessions without uuids for names: the CLI takes only these. */
const SESSION = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/
const SEEDS = 3
const MIXTURES = 40
/** The style that is named after the descriptions of the format has types which no release writes or reads. */
const STYLES = STYLE_NAMES.filter(style => style !== 'seed')
const MIXED = '11111111-2222-4333-8444-555555555555'

export const generated: CaseSource = {
  name: 'generated',
  *cases() {
    for (const found of generatedSessions()) {
      yield* [asItIs(found), advised(found)]
      if (found.kind === MIXTURE) yield repaired(found)
    }
  },
}

const MIXTURE = 'random mixture of broken links'

/** Whole conversations in every style, and sessions with every kind of broken link. */
export function generatedSessions(): readonly FoundSession[] {
  const seeds = Array.from({ length: SEEDS }, (_, nth) => nth + 1)
  return [...STYLES.flatMap(style => seeds.flatMap(seed => sessionsOf(seed, style))), ...mixtures()]
}

function mixtures(): readonly FoundSession[] {
  return Array.from({ length: MIXTURES }, (_, nth) =>
    foundSession(MIXTURE, `seed ${nth + 1}`, MIXED, randomSession(nth + 1, MIXED)),
  )
}

/** The sessions of one generated project. */
export function sessionsOf(seed: number, style: StyleName): readonly FoundSession[] {
  const { files } = generate(seed, { style, actions: 14 })
  return files.flatMap(({ path, text }) => {
    const session = SESSION.exec(path)?.[1]
    if (session === undefined || path.includes('/subagents/') || text === '') return []
    const name = `${style} seed ${seed} ${session.slice(0, 8)}`
    return [foundSession(`generated in the style of ${style}`, name, session, withWholeAttachments(text))]
  })
}

/** The generator's attachments have a type and little else; the real ones have lists, which older releases count. */
export function withWholeAttachments(text: string): string {
  const rows = text.split('\n').map(row => {
    const json = row.includes('"attachment"') ? parseJson(row) : null
    const attachment = objectOf(json?.['attachment'])
    if (json === null || attachment === null) return row
    const content = LISTED.has(String(attachment['type'])) ? { content: [] } : {}
    return JSON.stringify({ ...json, attachment: { ...EMPTY_LISTS, ...attachment, ...content } })
  })
  return rows.join('\n')
}

/** Attachments whose content is a list. */
const LISTED = new Set(['hook_additional_context', 'task_reminder', 'todo_reminder'])

const EMPTY_LISTS = {
  addedBlocks: [],
  addedLines: [],
  addedNames: [],
  addedTypes: [],
  removedNames: [],
  removedTypes: [],
}
