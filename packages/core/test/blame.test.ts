import { describe, expect, it } from 'vitest'
import { attributeLines, type FileEvent } from '../src/blame/index.js'
import type { FileChange } from '../src/model/file-change.js'

const FILE = '/home/dev/shop/app.ts'
const TREE = '/home/dev/tree/app.ts'

/** Events one after the other. */
function events(
  ...changes: readonly (FileChange | readonly [track: string, change: FileChange])[]
): FileEvent[] {
  return changes.map((each, nth) => {
    const [track, change] = 'kind' in each ? [FILE, each] : each
    return { track, time: nth, change }
  })
}

const write = (content: string, before: string | null = ''): FileChange => ({
  kind: 'write',
  content,
  before,
})
const replace = (old: string, inserted: string, before: string | null): FileChange => ({
  kind: 'replace',
  replacements: [{ old, new: inserted, isAll: false }],
  before,
})

/** A letter or number for each line: the call, `-` for none, `?` where it is not known. */
function painted(list: readonly FileEvent[], content: string | null, track: string = FILE): string {
  return attributeLines(list, { track, content })
    .lines.map(({ origin }) => (origin.kind === 'edit' ? origin.edit : origin.kind === 'outside' ? '-' : '?'))
    .join('')
}

const fates = (list: readonly FileEvent[], content: string, track: string = FILE): string =>
  attributeLines(list, { track, content })
    .edits.map(({ fate }) => fate)
    .join(' ')

describe('a file', () => {
  it('[Z1] has the last call that wrote each line, and none for what was there before or typed since', () => {
    const list = events(
      replace('two', 'two\nnew one\nnew two', 'one\ntwo\nthree\n'),
      replace('new two', 'better two', 'one\ntwo\nnew one\nnew two\nthree\n'),
    )
    expect(painted(list, 'one\ntwo\nnew one\nbetter two\nthree\n')).toBe('--01-')
    expect(painted(list, 'by hand\none\ntwo\nnew one\nbetter two\n')).toBe('---01')
    expect(painted(list, null)).toBe('--01-')
  })

  it('[Z2] gives lines that a rewind restored to the call that wrote them', () => {
    // Recorded in 2.1.325/s13c_rewind_files: A writes "one", B changes it to "two", a rewind restores "one".
    const list = events(write('one line\n'), replace('one line', 'another line', 'one line\n'))
    expect(painted(list, 'one line\n')).toBe('0')
    expect(fates(list, 'one line\n')).toBe('present undone')
    // The conversation alone was rewound: the change stayed.
    expect(painted(list, 'another line\n')).toBe('1')
    expect(fates(list, 'another line\n')).toBe('replaced present')
  })

  it('[Z2] knows restored lines also where people typed more', () => {
    const list = events(write('first\nsecond\n}\n'), write('nothing left\n', 'first\nsecond\n}\n'))
    expect(painted(list, 'typed\nfirst\nsecond\n}\n')).toBe('-000')
    expect(painted(list, '}\ntyped\n')).toBe('--')
  })

  it('[Z3] says of a call in another checkout that it never reached this one', () => {
    const base = 'shared line\n'
    const list = events({ kind: 'seen', content: base }, [TREE, replace('shared line', 'tree line', base)])
    expect(fates(list, base)).toBe('elsewhere')
    expect(painted(list, base)).toBe('-')
    expect(painted(list, 'tree line\n')).toBe('1')
  })

  it('[Z3] says of a call that only removed lines so', () => {
    expect(fates(events(replace('two\n', '', 'one\ntwo\n')), 'one\n')).toBe('removed')
  })

  it('[Z1] says that it does not know where what was before is not recorded', () => {
    expect(painted(events(write('one line\ntwo lines\n', null)), 'one line\ntwo lines\n')).toBe('??')
    const unplaced = events(replace('gone', 'found once\nfound twice', null))
    expect(painted(unplaced, 'found once\nfound twice\nfound twice\nother\n')).toBe('0??-')
    expect(painted(unplaced, 'before\nfound once\nfound twice\n')).toBe('-00')
  })

  it('[Z1] knows cells of a notebook by their lines', () => {
    const cell: FileChange = { kind: 'cell', lines: ['"import torch\\n"', '"x"'] }
    expect(painted(events(cell), '{\n   "import torch\\n",\n   "x"\n}\n')).toBe('-0?-')
  })

  it('[Z1] follows replacements of all occurrences, and removed lines with their line break', () => {
    const all: FileChange = {
      kind: 'replace',
      replacements: [
        { old: 'a', new: 'b', isAll: true },
        { old: 'keep', new: '', isAll: false },
      ],
      before: 'a a\nkeep\nrest\na\n\n',
    }
    expect(painted(events(all), null)).toBe('0-0-')
    expect(attributeLines(events(all), { track: FILE, content: null }).lines.map(({ text }) => text)).toEqual(
      ['b b', 'rest', 'b', ''],
    )
  })
})
