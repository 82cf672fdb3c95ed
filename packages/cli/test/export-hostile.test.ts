import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer, called, onFiles, prompt, sessionFile, textOf, unpackPage } from './export-files.js'

/** What somebody could put into a transcript, hoping that it runs where it is shown. */
const ATTACKS = [
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</style><img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><animate onbegin=alert(1)></svg>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '[link](javascript:alert(1))',
  '![x](x" onerror="alert(1))',
  '<!--<script>',
  '--><img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '<math><mtext></mtext><script>alert(1)</script></math>',
  '\u2028<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href="https://evil.test/">',
  '<link rel=stylesheet href="https://evil.test/x.css">',
  '\u0000<scr\u0000ipt>alert(1)</script>',
]

const FILES = ATTACKS.flatMap((attack, at) => {
  const image = { type: 'base64', media_type: 'image/svg+xml', data: Buffer.from(attack).toString('base64') }
  return [
    sessionFile(`s${at}`, [
      prompt([
        { type: 'text', text: attack },
        { type: 'image', source: image },
      ]),
      answer({ type: 'text', text: attack }, { type: 'thinking', thinking: attack, signature: attack }),
      ...called(`Bash${attack}`, { command: attack, file_path: `/tmp/${attack}`, [attack]: attack }, attack, {
        stdout: attack,
      }),
      { type: 'custom-title', customTitle: attack },
    ]),
  ]
})

/** The page without what belongs to it: its own script and style, and the elements with data. */
function rest(html: string): string {
  return html
    .replace(/<script type="module">[\s\S]*?<\/script>/, '')
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<script type="text\/plain" id="[\w-]+"(?: data-rows="\d+")?>[A-Za-z0-9+/=]+<\/script>/g, '')
}

describe('hostile sessions in an exported page', () => {
  it('are data only', async () => {
    await onFiles(FILES, (run, out) => {
      expect(run('export', '--project', 'proj', '--out', out).code).toBe(0)
      for (const [at, attack] of ATTACKS.entries()) {
        const html = textOf(join(out, `s${at}.html`)).split('</html>')[0] ?? ''
        const frame = rest(html).replace(/(<title>)[^<]*(<\/title>)/, '$1$2')
        expect(frame).not.toMatch(/<script|<svg|<img|<iframe|<base|<link|<math|<!--|javascript:|alert\(1\)/i)
        expect([...frame.matchAll(/<(\w+)/g)].map(([, tag]) => tag).join(' ')).toBe(
          'html head meta meta meta meta meta title body div noscript',
        )
        const contents = unpackPage(html).get('chunk-0') ?? ''
        expect(JSON.stringify(JSON.parse(contents))).toContain(JSON.stringify(attack).slice(1, -1))
      }
    })
  })

  it('are data only in the page that lists them', async () => {
    const index = await onFiles(FILES, (run, out) => {
      run('export', '--project', 'proj', '--out', out)
      return textOf(join(out, 'index.html'))
    })
    const tags = new Set([...rest(index).matchAll(/<(\w+)/g)].map(([, tag]) => tag))
    expect([...tags].sort()).toEqual([
      'a',
      'body',
      'button',
      'div',
      'h1',
      'head',
      'header',
      'html',
      'input',
      'li',
      'main',
      'meta',
      'ol',
      'p',
      'small',
      'title',
    ])
    expect([...index.matchAll(/href="([^"]*)"/g)].every(([, href]) => /^s\d+\.html$/.test(href ?? ''))).toBe(
      true,
    )
  })

  it('a session id that is a path does not leave the folder', async () => {
    const file = sessionFile('s1', [prompt('hi')])
    const text = file.text.replaceAll('"sessionId":"s1"', '"sessionId":"../../../evil"')
    await onFiles([{ path: '-home-dev-proj/s1.jsonl', text }], (run, out) => {
      const ran = run('export', '../../../evil', '--out', `${out}/`)
      const again = run('export', '-q', '--project', 'proj', '--format', 'md', '--out', out)
      expect([0, 1]).toContain(ran.code)
      expect(again.code).toBe(0)
      expect(textOf(join(out, 'index.html'))).not.toContain('href="../')
    })
  })
})
