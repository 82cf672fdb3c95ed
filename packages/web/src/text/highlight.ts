/**
 * Syntax highlighting in one pass, by groups of languages that share their comments, strings and names. It is
 * approximate, fast for any text, and never fails.
 */

/** A piece of code and its scope; empty for plain text. */
export interface Piece {
  readonly text: string
  readonly scope: Scope | ''
}

type Scope =
  | 'comment'
  | 'string'
  | 'number'
  | 'keyword'
  | 'literal'
  | 'title'
  | 'type'
  | 'attr'
  | 'added'
  | 'removed'

interface Grammar {
  /** Comments, strings, and names with a prefix character, in groups of that order. */
  readonly pattern: RegExp
  readonly keywords: ReadonlySet<string>
  /** Whether names before a colon are keys. */
  readonly hasKeys: boolean
  /** Whether names before a bracket are functions, and capitalized names are types. */
  readonly hasCalls: boolean
}

/** Longer code is not highlighted: it would create too many nodes. */
const LENGTH_LIMIT = 20_000

const SLASHES = '\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?(?:\\*\\/|$)'
const HASH = '#[^\\n]*'
const QUOTES = '"(?:[^"\\\\\\n]|\\\\.)*"?|\'(?:[^\'\\\\\\n]|\\\\.)*\'?'
const LONG_QUOTES = '"""[\\s\\S]*?(?:"""|$)|\'\'\'[\\s\\S]*?(?:\'\'\'|$)'
const TICKS = '`(?:[^`\\\\]|\\\\[\\s\\S])*`?'

const WORDS = {
  curly:
    'abstract any as async await bool boolean break byte case catch chan char class const continue crate declare def default defer delete do double dyn else enum explicit export extends extern final finally float fn for foreach from func function get go goto if impl implements import in infer inline instanceof int interface internal is keyof let loop long match mod mut namespace never new number object of operator out override package private protected pub public range readonly ref return satisfies sealed select self set short signed sizeof static string struct super switch template this throw throws trait try type typedef typeof union unknown unsafe unsigned use using val var virtual void volatile when where while with yield',
  hash: 'alias and as assert async await begin break case class cond continue def defmodule defp del do done elif else elsif end ensure esac except export fi finally fn for from function global if import in is lambda let local loop match module nonlocal not or pass raise rescue return self set super then try unless until use when while with yield ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM RUN WORKDIR',
  query:
    'add all alter and as asc begin between by case commit create delete desc distinct drop else end exists from full function group having if in index inner insert into is join key left like limit local not offset on or order outer primary references return right rollback select set table then union unique update using values view when where with',
} as const

const LITERALS = new Set(['true', 'false', 'null', 'nil', 'None', 'True', 'False', 'undefined', 'NaN'])

const curly = grammar(`${SLASHES}`, `${QUOTES}|${TICKS}`, WORDS.curly)
const hash = grammar(HASH, `${LONG_QUOTES}|${QUOTES}`, WORDS.hash)
const query = grammar(
  `--[^\\n]*|\\/\\*[\\s\\S]*?(?:\\*\\/|$)`,
  QUOTES,
  `${WORDS.query} ${WORDS.query.toUpperCase()}`,
)
const data = grammar(`${HASH}|${SLASHES}`, QUOTES, '', { hasKeys: true, hasCalls: false })
const style = grammar('\\/\\*[\\s\\S]*?(?:\\*\\/|$)', QUOTES, 'important media supports keyframes import', {
  hasKeys: true,
  hasCalls: true,
})

const GRAMMARS: ReadonlyMap<string, Grammar> = new Map([
  ...names(
    curly,
    'c cc cpp cs csharp cts cxx d dart go groovy h hpp java javascript js jsx kotlin kt mjs cjs mts objc php proto rs rust scala solidity sol swift ts tsx typescript v zig',
  ),
  ...names(
    hash,
    'bash cmake coffee cr dockerfile elixir ex exs fish gemfile jl julia makefile mk nim perl pl powershell ps1 py pyi python r rake rb ruby sh shell shellscript zsh',
  ),
  ...names(query, 'elm haskell hs lua mysql pgsql plsql psql sql sqlite'),
  ...names(
    data,
    'cfg conf editorconfig env gitignore graphql hcl ini ipynb json json5 jsonc jsonl lock nix properties tf toml yaml yml',
  ),
  ...names(style, 'css less sass scss'),
])

const MARKUP = new Set(['astro', 'html', 'plist', 'svelte', 'svg', 'vue', 'xhtml', 'xml', 'heex', 'eex'])

/** Splits a text into pieces; one plain piece for an unknown language. */
export function highlight(text: string, language: string): readonly Piece[] {
  const name = language.toLowerCase()
  if (text.length > LENGTH_LIMIT) return [{ text, scope: '' }]
  if (name === 'diff' || name === 'patch') return diffPieces(text)
  if (MARKUP.has(name)) return markupPieces(text)
  const known = GRAMMARS.get(name)
  return known === undefined ? [{ text, scope: '' }] : codePieces(text, known)
}

/** The language of a file by its name; empty for none. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return name.slice(name.lastIndexOf('.') + 1)
}

function grammar(
  comments: string,
  texts: string,
  keywords: string,
  { hasKeys, hasCalls }: Pick<Grammar, 'hasKeys' | 'hasCalls'> = { hasKeys: false, hasCalls: true },
): Grammar {
  const rest = hasKeys ? '[\\w-]*' : '\\w*'
  const pattern = new RegExp(`(${comments})|(${texts})|(?<![\\w.])(\\d[\\w.]*)|([$@%]?[A-Za-z_]${rest})`, 'g')
  return { pattern, keywords: new Set(keywords.split(' ')), hasKeys, hasCalls }
}

function names(known: Grammar, list: string): readonly (readonly [string, Grammar])[] {
  return list.split(' ').map(name => [name, known] as const)
}

function codePieces(text: string, known: Grammar): readonly Piece[] {
  return piecesOf(text, known.pattern, ([whole, comment, quoted, number], at) => {
    if (comment !== undefined) return 'comment'
    if (quoted !== undefined) return known.hasKeys && isKey(text, at) ? 'attr' : 'string'
    if (number !== undefined) return 'number'
    return wordScope(text, whole ?? '', at, known)
  })
}

/** `at` is where the word ends. */
function wordScope(text: string, word: string, at: number, known: Grammar): Scope | '' {
  if (LITERALS.has(word)) return 'literal'
  if (known.keywords.has(word)) return 'keyword'
  if (known.hasKeys && isKey(text, at)) return 'attr'
  if (/^[$@%]/.test(word)) return 'attr'
  if (known.hasCalls && text[at] === '(') return 'title'
  return known.hasCalls && /^[A-Z]\w*[a-z]/.test(word) ? 'type' : ''
}

function isKey(text: string, at: number): boolean {
  return /^[ \t]*[:=]/.test(text.slice(at, at + 12))
}

const TAG =
  /(<!--[\s\S]*?(?:-->|$))|(<\/?[A-Za-z][\w:.-]*|\/?>)|((?<![\w:.-])[A-Za-z_:@][\w:.-]*(?==))|("[^"<]*"|'[^'<]*')/g

function markupPieces(text: string): readonly Piece[] {
  return piecesOf(text, TAG, ([, comment, tag, name]) => {
    if (comment !== undefined) return 'comment'
    if (tag !== undefined) return 'keyword'
    return name !== undefined ? 'attr' : 'string'
  })
}

function diffPieces(text: string): readonly Piece[] {
  return piecesOf(text, /^(?:(\+)|(-)|@@).*$/gm, ([, added, removed]) =>
    added !== undefined ? 'added' : removed !== undefined ? 'removed' : 'comment',
  )
}

/** Visits all matches; text between them is plain. */
function piecesOf(
  text: string,
  pattern: RegExp,
  scopeOf: (match: readonly string[], end: number) => Scope | '',
): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length
    const scope = scopeOf([...match], end)
    if (scope === '') continue
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), scope: '' })
    pieces.push({ text: match[0], scope })
    from = end
  }
  if (from < text.length) pieces.push({ text: text.slice(from), scope: '' })
  return pieces
}
