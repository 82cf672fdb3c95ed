/** H2: scripts that do not set words apart: each character is a word of its own, in the index and in the query. */

/**
 * Thai and Lao, Burmese, Hangul, Khmer, then Chinese, Japanese and Korean: as ranges, because this runs over every text,
 * and the engine is slow at looking up scripts.
 */
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc]|[\ud840-\ud888][\udc00-\udfff]/g

/** The text with every such character set apart by spaces. */
export function setApart(text: string): string {
  UNSPACED.lastIndex = 0
  return UNSPACED.test(text) ? text.replace(UNSPACED, ' $& ') : text
}

/** A word as FTS5 keeps it: without case and diacritics. */
export function foldTerm(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
}

/** The words of a text as FTS5's unicode61 finds them: letters, digits and private-use characters, with their marks. */
export function wordsOf(text: string): readonly string[] {
  return setApart(text).match(/[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu) ?? []
}
