import { describe, expect, it } from 'vitest'
import { highlight, languageOf } from './highlight.js'

/** Pieces that have a color, as `scope:text`. */
function colored(text: string, language: string): string[] {
  return highlight(text, language).flatMap(piece =>
    piece.scope === '' ? [] : [`${piece.scope}:${piece.text}`],
  )
}

describe('highlighted code', () => {
  it('marks comments, strings, names and numbers', () => {
    expect(colored('const a = call("x\\"y", 12) // why\nreturn new Map', 'ts')).toEqual([
      'keyword:const',
      'title:call',
      'string:"x\\"y"',
      'number:12',
      'comment:// why',
      'keyword:return',
      'keyword:new',
      'type:Map',
    ])
    expect(colored('def f(x): # no\n    return """a\nb""" or None', 'py')).toEqual([
      'keyword:def',
      'title:f',
      'comment:# no',
      'keyword:return',
      'string:"""a\nb"""',
      'keyword:or',
      'literal:None',
    ])
    expect(colored('{"key": "value", "n": [1, true]}', 'json')).toEqual([
      'attr:"key"',
      'string:"value"',
      'attr:"n"',
      'number:1',
      'literal:true',
    ])
    expect(colored('<a href="x">t</a><!-- c -->', 'html')).toEqual([
      'keyword:<a',
      'attr:href',
      'string:"x"',
      'keyword:>',
      'keyword:</a',
      'keyword:>',
      'comment:<!-- c -->',
    ])
    expect(colored('@@ -1 +1 @@\n-a\n+b\n c', 'diff')).toEqual([
      'comment:@@ -1 +1 @@',
      'removed:-a',
      'added:+b',
    ])
    expect(colored('SELECT a FROM t -- all', 'sql')).toEqual([
      'keyword:SELECT',
      'keyword:FROM',
      'comment:-- all',
    ])
  })

  it.each(['ts', 'py', 'json', 'html', 'css', 'sql', 'diff', 'nothing'])(
    'keep all of the text: %s',
    language => {
      const text = 'a "b\\" \'c /* d\n// e ` f # g <h i="j"> -k +l 1.5e3 $m @n\n--- """ o'
      const whole = highlight(text, language)
        .map(piece => piece.text)
        .join('')
      expect(whole).toBe(text)
    },
  )

  it.each([
    ['quotes', '"\\'.repeat(9000)],
    ['comments', '/*'.repeat(9000)],
    ['ticks', '`\\'.repeat(9000)],
    ['tags', '<a '.repeat(6000)],
    ['words', 'a'.repeat(19_000)],
  ])('take no time for hostile text: %s', (_, text) => {
    const before = process.cpuUsage()
    for (const language of ['ts', 'py', 'html', 'json', 'sql']) highlight(text, language)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
  })

  it('finds the language by the name of a file', () => {
    expect(['src/a.test.ts', 'Dockerfile', '/x/Makefile', 'a.PY'].map(languageOf)).toEqual([
      'ts',
      'dockerfile',
      'makefile',
      'py',
    ])
  })
})
