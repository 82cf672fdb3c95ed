/** The words of a text are those that FTS5 finds, whatever the characters. */
import { expect, it } from 'vitest'
import { openDatabase } from '../src/db/driver.js'
import { createTokenizer } from '../src/db/tokens.js'

it('[H2] words are those of FTS5, in any script', () => {
  const tokens = createTokenizer()
  const random = numbers(7)
  const texts = Array.from({ length: 3000 }, () =>
    Array.from({ length: 1 + (random() % 30) }, () => characterOf(random)).join(''),
  )
  const found = wordsOfFts5(texts)
  const differing = texts.filter((text, at) => tokens(text) !== found[at])
  expect(differing.map(text => JSON.stringify(text)).slice(0, 5)).toEqual([])
})

it('[H2] halves of characters, NUL and nothing are no words', () => {
  const tokens = createTokenizer()
  expect([tokens(''), tokens('a\0b'), tokens('x\ud800y\udc00'), tokens('--')]).toEqual(['', 'a b', 'x y', ''])
  expect(tokens('Fixed the “naïve” Crème-brûlée: e\u0301te\u0301, ΣΙΣΥΦΟΣ, Straße')).toBe(
    'fixed the naive creme brulee ete σισυφοσ straße',
  )
})

function wordsOfFts5(texts: readonly string[]): readonly string[] {
  const db = openDatabase(':memory:')
  db.exec(`CREATE VIRTUAL TABLE words USING fts5(text, tokenize='unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE terms USING fts5vocab(words, instance)`)
  const add = db.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)')
  for (const [at, text] of texts.entries()) add.run(at, text)
  const words = texts.map((): string[] => [])
  for (const { doc, term } of db.prepare('SELECT doc, term FROM terms ORDER BY doc, offset').all())
    words[Number(doc)]?.push(String(term))
  db.close()
  return words.map(each => each.join(' '))
}

/** Half of them of the first 768, letters with marks among them; the others of all there are. */
function characterOf(random: () => number): string {
  const point = random() % 2 === 0 ? random() % 0x370 : random() % 0x30000
  return point === 0 || (point >= 0xd800 && point < 0xe000) ? ' ' : String.fromCodePoint(point)
}

function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state >> 8
  }
}
