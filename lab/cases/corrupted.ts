/** Recorded and generated sessions, corrupted by seed: one corruption, or two to four together, at random places. */
import {
  COPY_MARKS,
  corruptedSessions,
  objectOf,
  parseJson,
  type SessionText,
  sessionTexts,
  withEqualMarks,
} from '@dagline/testkit'
import { markRow } from '../harness/marks.ts'
import { advised, repaired } from './advised.ts'
import { asItIs, type CaseSource, type FoundSession } from './case.ts'
import { withWholeAttachments } from './generated.ts'
import { RECORDINGS } from './recorded.ts'

const COUNT = 240

export const corrupted: CaseSource = {
  name: 'corrupted',
  *cases() {
    for (const found of corruptedByLab()) {
      const equal = { ...found, text: withEqualMarks(found.text) }
      yield* [asItIs(found), advised(equal), repaired(equal)]
    }
  },
}

/** The sessions of the first seeds. */
function* corruptedByLab(): Generator<FoundSession> {
  for (const { name, session, text, folder, kinds, seed } of corruptedSessions(marked(), { count: COUNT })) {
    const kind = kinds.length === 1 ? 'one corruption by seed' : 'several corruptions by seed'
    const what = `seed ${seed}, ${name}: ${kinds.join(', ')}`
    yield { kind, name: what, session, text, folder, promise: null }
  }
}

/** Rows are marked before they are corrupted: a torn row cannot be marked any more. */
function marked(): readonly SessionText[] {
  return sessionTexts(RECORDINGS).map(source => ({
    ...source,
    text: markRows(withWholeAttachments(source.text)),
  }))
}

/** Copies get the mark of what they repeat, told apart as those of the testkit are. */
function markRows(text: string): string {
  const known = new Map<string, number>()
  const rows = text.split('\n').map((row, at) => {
    const content = JSON.stringify(objectOf(parseJson(row)?.['message'])?.['content'])
    const mark = known.has(content) ? (known.get(content) ?? 0) + COPY_MARKS : at + 1
    known.set(content, mark)
    return markRow(row, mark)
  })
  return rows.join('\n')
}
