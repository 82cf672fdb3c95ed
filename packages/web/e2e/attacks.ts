/// <reference lib="dom" />
/** Hostile transcripts, with code in every field. */
import { inProject, type TextFile } from '@dagline/testkit'
import type { Page } from 'playwright-core'

/** Each would set `window.hit`, send a request or hide the page if it became more than text. */
export const ATTACKS: readonly string[] = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  '<svg onload="window.hit=1"><script>window.hit=1</script></svg>',
  '[click](javascript:window.hit=1)',
  '<a href="javascript:window.hit=1">x</a>',
  '![x](https://example.com/track.png)',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '</script><script>window.hit=1</script>',
  '</title><script>window.hit=1</script>',
  '--><script>window.hit=1</script><!--',
  '<style>*{display:none}</style>',
  '"><input autofocus onfocus="window.hit=1">',
  '\u001b]8;;javascript:window.hit=1\u0007link\u001b]8;;\u0007',
  '{{constructor.constructor("window.hit=1")()}}',
  `\u202etxt.exe \u2066nested\u2069 Z${'\u0335'.repeat(400)}`,
]

/** The session with all attacks, in texts, models, tools, results and file names. */
export const ATTACKED = 'att1'

/** The title of that session. */
export const ATTACK_TITLE = ATTACKS.slice(0, 3).join(' ')

/** One session with all attacks, and one session per attack with it as title and first prompt. */
export function attackedSessions(): TextFile[] {
  const titled = ATTACKS.map((attack, at) => {
    const { row, rows } = startRows(`tit${at}`)
    row({ type: 'user', message: { role: 'user', content: `okapi ${attack}` } })
    row({ type: 'assistant', message: { id: `n${at}`, role: 'assistant', content: said(attack) } })
    if (at % 2 === 0) rows.push(titleRow(`tit${at}`, `okapi ${attack}`))
    return { path: `tit${at}.jsonl`, text: rows.join('') }
  })
  return inProject([{ path: `${ATTACKED}.jsonl`, text: everything() }, ...titled], '-home-dev-<b>attacked')
}

/** Elements of the page that came from an attack; empty where all stayed text. */
export async function elementsOf(page: Page): Promise<readonly string[]> {
  const hit = await page.evaluate(() => ('hit' in window ? ['window.hit'] : []))
  const found = await page.locator('main').evaluate(main => {
    const bad = 'script, img, iframe, style, svg script, [onload], [onerror], [onfocus], a'
    const isOurs = (element: Element): boolean =>
      element instanceof HTMLAnchorElement && /^(https?:|#|\/)/.test(element.getAttribute('href') ?? '')
    return [...main.querySelectorAll(bad)]
      .filter(element => !isOurs(element))
      .map(({ outerHTML }) => outerHTML)
  })
  const disguised = await page.locator('main').evaluate(main => {
    const text = main.textContent ?? ''
    return text.match(/[\u202a-\u202e\u2066-\u2069]|\p{M}{9}/gu) ?? []
  })
  return [...hit, ...found, ...disguised]
}

function everything(): string {
  const { row, rows } = startRows(ATTACKED)
  ATTACKS.forEach((attack, at) => {
    row({ type: 'user', message: { role: 'user', content: attack } })
    const message = { id: `m${at}`, role: 'assistant', model: attack }
    row({ type: 'assistant', message: { ...message, content: said(attack) } })
    const tools = ['Bash', 'Read', 'Edit', 'Grep', 'WebFetch', 'TodoWrite', 'AskUserQuestion', attack]
    tools.forEach((name, tool) => {
      const id = `t${at}-${tool}`
      row({
        type: 'assistant',
        message: { id: `m${id}`, role: 'assistant', content: [toolUse(name, attack, id)] },
      })
      const result = { type: 'tool_result', tool_use_id: id, content: attack, is_error: tool % 2 === 0 }
      row({
        type: 'user',
        message: { role: 'user', content: [result] },
        toolUseResult: { stdout: attack, stderr: attack, filePath: attack },
      })
    })
  })
  rows.push(titleRow(ATTACKED, ATTACK_TITLE))
  return rows.join('')
}

function titleRow(sessionId: string, customTitle: string): string {
  return `${JSON.stringify({ type: 'custom-title', customTitle, sessionId })}\n`
}

function said(attack: string): readonly object[] {
  return [
    { type: 'thinking', thinking: attack },
    { type: 'text', text: `${attack}\n\n\`\`\`html\n${attack}\n\`\`\`` },
  ]
}

function toolUse(name: string, attack: string, id: string): object {
  const input = {
    command: attack,
    file_path: attack,
    old_string: 'a',
    new_string: attack,
    pattern: attack,
    url: 'javascript:window.hit=1',
    todos: [{ content: attack, status: attack }],
    questions: [{ question: attack, options: [{ label: attack, description: attack }] }],
    [attack]: attack,
  }
  return { type: 'tool_use', id, name, input }
}

interface Rows {
  readonly rows: string[]
  /** Adds a row below the last. */
  readonly row: (fields: object) => void
}

function startRows(sessionId: string): Rows {
  const base = { cwd: '/x/<b>', sessionId, version: '2.1.300', isSidechain: false }
  const rows: string[] = []
  let parentUuid: string | null = null
  const row = (fields: object): void => {
    const count = String(rows.length + 1).padStart(6, '0')
    const uuid = `00000000-0000-4000-8000-${Buffer.from(sessionId.slice(0, 5)).toString('hex').padStart(10, '0').slice(-6)}${count}`
    const timestamp = new Date(Date.UTC(2026, 0, 1) + rows.length * 1000).toISOString()
    rows.push(`${JSON.stringify({ ...base, parentUuid, uuid, timestamp, ...fields })}\n`)
    parentUuid = uuid
  }
  return { rows, row }
}
