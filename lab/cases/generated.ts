/** Generated sessions: whole conversations in the style of each release, and random mixtures of broken links. */
import { generate, STYLE_NAMES } from '@dagline/testkit'
import { type CaseSource, caseOf, type LabCase } from './case.ts'
import { randomSession } from './random.ts'

/** The recorder's styles have sessions without uuids for names: the CLI takes only these. */
const SESSION = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/
const SEEDS = 4
const MIXTURES = 60
const MIXTURE = 'random mixture of broken links'
const MIXED = '11111111-2222-4333-8444-555555555555'

export const generated: CaseSource = {
  name: 'generated',
  *cases(wants) {
    for (const style of STYLE_NAMES.filter(name => wants(styled(name))))
      for (let seed = 1; seed <= SEEDS; seed++) yield* sessionsOf(seed, style)
    if (!wants(MIXTURE)) return
    for (let seed = 1; seed <= MIXTURES; seed++)
      yield caseOf(MIXTURE, `seed ${seed}`, MIXED, randomSession(seed, MIXED))
  },
}

type StyleName = (typeof STYLE_NAMES)[number]

function styled(style: StyleName): string {
  return `generated in the style of ${style}`
}

function* sessionsOf(seed: number, style: StyleName): Generator<LabCase> {
  const { files } = generate(seed, { style, actions: 14 })
  for (const { path, text } of files) {
    const session = SESSION.exec(path)?.[1]
    if (session !== undefined && !path.includes('/subagents/') && text !== '')
      yield caseOf(styled(style), `seed ${seed} ${session.slice(0, 8)}`, session, text)
  }
}
