/**
 * H2: the words of a text exactly as FTS5 finds them (`unicode61 remove_diacritics 2`), for indexes that are not made by it. FTS5
 * knows Unicode 6.1 and takes what has no meaning there for letters, so its own tokenizer is asked what each character is, once.
 */
import { openDatabase } from './driver.js'

/** Makes a function that gives the words of a text, folded, with one space between them. */
export function createTokenizer(): (text: string) => string {
  const classes = new Map<number, string>(ASCII)
  let ask: ((point: number) => string) | null = null
  const classOf = (point: number): string => {
    ask ??= askFts5()
    const found = ask(point)
    classes.set(point, found)
    return found
  }
  return text => {
    const words: string[] = []
    let word = ''
    for (let at = 0; at < text.length; at++) {
      const point = text.codePointAt(at) ?? 0
      if (point > 0xffff) at++
      const folded = classes.get(point) ?? classOf(point)
      if (folded === MARK) continue
      if (folded !== '') word += folded
      else if (word !== '') {
        words.push(word)
        word = ''
      }
    }
    if (word !== '') words.push(word)
    return words.join(' ')
  }
}

/** A diacritic: it goes on with the word before it, and is left out. */
const MARK = '\u0300'

/** What each character becomes; nothing for one that ends a word. */
const ASCII: readonly (readonly [number, string])[] = Array.from({ length: 128 }, (_, point) => {
  const character = String.fromCharCode(point)
  return [point, /[0-9A-Za-z]/.test(character) ? character.toLowerCase() : '']
})

function askFts5(): (point: number) => string {
  const db = openDatabase(':memory:')
  db.exec(`CREATE VIRTUAL TABLE words USING fts5(text, tokenize='unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE terms USING fts5vocab(words, instance)`)
  const add = db.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)')
  const read = db.prepare('SELECT term FROM terms')
  const clear = db.prepare('DELETE FROM words')
  return point => {
    // Half a character is kept as none.
    if (point >= 0xd800 && point <= 0xdfff) return ''
    add.run(1, `x${String.fromCodePoint(point)}y`)
    const found = read.all().map(({ term }) => String(term))
    clear.run()
    const [only = ''] = found
    if (found.length !== 1) return ''
    return only === 'xy' ? MARK : only.slice(1, -1)
  }
}
