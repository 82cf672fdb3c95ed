import { describe, expect, it } from 'vitest'
import { drawn } from '../../test/nodes.js'
import { renderMarkdown } from './markdown.js'
import { readBlocks } from './markdown-blocks.js'

const md = (text: string): string => drawn(renderMarkdown(text))

describe('Markdown', () => {
  it('reads what Claude writes', () => {
    expect(md('# A\n\nsome *em*, **strong**, `code`, ~~gone~~\nnext line')).toBe(
      '<h2 class="md-h1">A</h2><p>some <em>em</em>, <strong>strong</strong>, <code>code</code>, <del>gone</del><br></br>next line</p>',
    )
    expect(md('1. one\n2. two\n   - deep\n     more\n3. three')).toBe(
      '<ol start=1><li>one</li><li>two<ul><li>deep<br></br>more</li></ul></li><li>three</li></ol>',
    )
    expect(md('- [x] done\n- [ ] open')).toBe(
      '<ul><li class="task">☑ done</li><li class="task">☐ open</li></ul>',
    )
    expect(md('> said\n> twice')).toBe('<blockquote><p>said<br></br>twice</p></blockquote>')
    expect(md('a\n\n---\n\nTitle\n===')).toBe('<p>a</p><hr></hr><h2 class="md-h1">Title</h2>')
  })

  it('[V22] ranks headings one below the other, whatever the message skips', () => {
    const ranks = (text: string, rank?: number): string =>
      drawn(renderMarkdown(text, rank)).replace(/.*?<(h\d) class="md-(h\d)">.*?<\/h\d>/g, '$1=$2 ')
    expect(ranks('### a\n# b\n#### c\n## d\n###### e')).toBe('h2=h3 h2=h1 h3=h4 h3=h2 h4=h6 ')
    expect(ranks('- # in a list\n\n> ### in a quote', 3)).toContain('h3=h1 h4=h3')
  })

  it('has no heading cell without words', () => {
    expect(md('| | b |\n|---|---|\n| 1 | 2 |')).toContain('<tr><td></td><th>b</th></tr>')
  })

  it('keeps code and its language', () => {
    expect(md('```ts\nconst a = `<b>` // **x**\n```')).toBe(
      '[Code text="const a = `<b>` // **x**" language="ts"]',
    )
    expect(md('~~~\nnever ends')).toBe('[Code text="never ends" language=""]')
    expect(md('- item\n  ```\n  in\n  ```')).toContain('[Code text="in" language=""]')
    expect(md('`` a ` b ``')).toBe('<p><code>a ` b</code></p>')
  })

  it('reads tables, also right below a paragraph', () => {
    expect(md('words\n| a | b |\n|---|:-:|\n| 1 | `x\\|y` |')).toBe(
      '<p>words</p>[Wide]<table><thead><tr><th>a</th><th class="center">b</th></tr></thead><tbody><tr><td>1</td><td class="center"><code>x|y</code></td></tr></tbody></table>',
    )
    expect(md('a | b\nno rule')).toBe('<p>a | b<br></br>no rule</p>')
  })

  it('reads emphasis next to words and punctuation', () => {
    expect(md('snake_case_name and 2 * 3 * 4')).toBe('<p>snake_case_name and 2 * 3 * 4</p>')
    expect(md('***both*** and **a *b* c**')).toBe(
      '<p><em><strong>both</strong></em> and <strong>a <em>b</em> c</strong></p>',
    )
    expect(md('**open and *half*')).toBe('<p>**open and <em>half</em></p>')
    expect(md('**[a](https://a.b)**')).toContain('<strong><a href="https://a.b/"')
  })

  it('finds addresses without the punctuation around them', () => {
    expect(md('see https://a.b/c_d_e, or **http://x.y:1/z.html**.')).toBe(
      `<p>see ${link('https://a.b/c_d_e')}, or <strong>${link('http://x.y:1/z.html')}</strong>.</p>`,
    )
    expect(md('(https://a.b/c)')).toBe(`<p>(${link('https://a.b/c')})</p>`)
  })

  it('keeps HTML as text', () => {
    expect(md('<script>alert(1)</script> <img src=x onerror=y>')).toBe(
      '<p>‹script>alert(1)‹/script> ‹img src=x onerror=y></p>',
    )
    expect(md('&lt;b&gt; &amp; &quot;')).toBe('<p>‹b> & "</p>')
  })

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](data:text/html,<script>1</script>)',
    '[x](vbscript:x)',
    '[x](file:///etc/passwd)',
    '[x](/relative)',
    '<javascript:alert(1)>',
    '![x](javascript:alert(1))',
  ])('follows no address like %s', text => {
    expect(md(text)).not.toContain('<a ')
  })

  it('links images instead of loading them', () => {
    expect(md('![a picture](https://a.b/c.png)')).toBe(
      '<p><a href="https://a.b/c.png" target="_blank" rel="noopener noreferrer" title="https://a.b/c.png">a picture</a></p>',
    )
  })

  it.each([
    ['brackets', '['.repeat(40_000)],
    ['stars', '*a '.repeat(20_000)],
    ['nested emphasis', `${'*a _b '.repeat(8000)}${'_ *'.repeat(8000)}`],
    ['ticks', Array.from({ length: 2000 }, (_, n) => '`'.repeat((n % 90) + 1)).join(' ')],
    ['quotes', '>'.repeat(30_000)],
    ['nested lists', Array.from({ length: 2000 }, (_, n) => `${' '.repeat(n * 2)}- x`).join('\n')],
    ['links', '[a](b'.repeat(10_000)],
    ['table rules', `|${'-|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}x`],
    ['blank lines', ' \n'.repeat(50_000)],
  ])('reads hostile text in no time: %s', (_, text) => {
    // Processor time, because the machine may do other work.
    const before = process.cpuUsage()
    const result = JSON.stringify(renderMarkdown(text))
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
    expect(result.length).toBeGreaterThan(1)
  })

  it('keeps every word of any text', () => {
    const characters = [
      '*',
      '_',
      '`',
      '[',
      ']',
      '(',
      ')',
      '!',
      '<',
      '>',
      '#',
      '-',
      '1.',
      '|',
      '~~',
      '\n',
      ' ',
      'a',
      'b',
      '&',
    ]
    let state = 7
    const next = (): number => {
      state = (state * 48_271) % 2_147_483_647
      return state
    }
    for (let round = 0; round < 600; round++) {
      const text = Array.from({ length: 40 }, () => characters[next() % characters.length]).join('')
      const letters = (value: string): string => value.replace(/[^ab]/g, '')
      const shown = letters(JSON.stringify(textsOf(readBlocks(text))).replaceAll('\\n', ''))
      expect(shown, text).toBe(letters(text))
    }
  })
})

/** Texts and languages of blocks, in order. */
function textsOf(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textsOf)
  if (typeof value !== 'object' || value === null) return ''
  const { kind: _, align: __, language, ...rest } = Object.fromEntries(Object.entries(value))
  return [language ?? '', ...Object.values(rest).map(textsOf)]
}

function link(address: string): string {
  return `<a href="${address}" target="_blank" rel="noopener noreferrer" title="${address}">${address}</a>`
}
