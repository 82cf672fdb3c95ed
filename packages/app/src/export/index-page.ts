/** The page that lists the sessions of an exported project, complete in itself: it looks like the rest of the viewer. */

import { bytes, dayAndTime, plural } from '@dagline/core/format'
import type { Redactor } from '@dagline/core/redact'
import { ownFigures } from '@dagline/core/view'
import type { ExportedSession } from './exported-session.js'
import { escapeHtml, nameOf, pageHead } from './html.js'

/** A session in the list. */
export interface Listed {
  readonly file: string
  readonly name: string
  readonly first: number | null
  readonly turns: number
  readonly branches: number
  readonly agents: number
  readonly cost: number | null
  readonly bytes: number
  /** Number of sessions above it. */
  readonly depth: number
}

/** S8: what the list says of a session. History that it shares with another session is not counted. */
export function listedOf(
  exported: ExportedSession,
  redactor: Redactor | null,
  written: Pick<Listed, 'file' | 'bytes' | 'depth'>,
): Listed {
  const { sheet } = exported
  return {
    ...written,
    ...ownFigures(sheet),
    name: nameOf(exported, redactor),
    first: sheet.session.first,
  }
}

/** The colors and measures of the viewer, as far as a list needs them. */
const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #191816);
  --paper-2: light-dark(#f3f1ea, #211f1d);
  --ink: light-dark(#1f1e1a, #edeae2);
  --faint: light-dark(#6b675d, #989386);
  --line: light-dark(#e2ded3, #35322d);
  --accent: light-dark(#2c5aa0, #8ab4f0);
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  max-width: 60rem;
  margin: 0 auto;
  padding: 2rem 1.25rem 4rem;
  background: var(--paper);
  color: var(--ink);
  font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
}
h1 { margin: 0; font-size: 1.5rem; font-weight: 650; letter-spacing: -0.015em; line-height: 1.25; overflow-wrap: anywhere; }
header p { margin: 2px 0 12px; color: var(--faint); }
.tools { display: flex; gap: 8px; margin-bottom: 12px; }
.tools > * { padding: 6px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--ink); font: inherit; }
.tools input { flex: 1; min-width: 0; }
.tools button:hover, li > div:hover { background: var(--paper-2); }
ol { margin: 0; padding: 0; list-style: none; }
ol ol { padding-inline-start: 1.5rem; }
li > div { padding: 8px 10px; border-top: 1px solid var(--line); }
a { color: var(--ink); font-weight: 600; overflow-wrap: anywhere; text-decoration: none; }
a:hover { color: var(--accent); text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
small { display: block; color: var(--faint); font-size: 13px; font-variant-numeric: tabular-nums; }
`

/** The filter of the list and the switch of the theme. The page is complete without them. */
const SCRIPT = `
const input = document.querySelector('input')
const items = [...document.querySelectorAll('li')].reverse()
const show = () => {
  const words = input.value.toLowerCase().trim()
  for (const item of items) {
    const isMeant = item.firstElementChild.textContent.toLowerCase().includes(words)
    item.firstElementChild.hidden = !isMeant
    item.hidden = !isMeant && item.querySelector('li:not([hidden])') === null
  }
  const isNone = items.every(item => item.hidden)
  document.querySelector('[role=status]').textContent = isNone ? 'No matching sessions' : ''
}
input.addEventListener('input', show)
const themes = ['system', 'light', 'dark']
const button = document.querySelector('button')
let theme = 0
button.addEventListener('click', () => {
  theme = (theme + 1) % themes.length
  document.documentElement.dataset.theme = themes[theme]
  button.textContent = 'Theme: ' + themes[theme]
})
document.querySelector('.tools').hidden = false
`

/** The page: the sessions as a tree, in the order given, which is that of the session tree (S1). */
export function indexPage(project: string, sessions: readonly Listed[]): string {
  return `${pageHead(project, SCRIPT, STYLE)}<header>
<h1>${escapeHtml(project)}</h1>
<p>${plural(sessions.length, 'session')}, exported by dagline</p>
</header>
<main>
<div class="tools" hidden><input type="search" placeholder="Filter sessions" aria-label="Filter sessions"><button type="button">Theme: system</button></div>
<p role="status"></p>
${treeOf(sessions)}
</main>
<script type="module">${SCRIPT}</script>
</body>
</html>
`
}

/** Lists within lists: sessions that go on from another stand below it. */
function treeOf(sessions: readonly Listed[]): string {
  const parts: string[] = []
  let open = 0
  for (const listed of sessions) {
    // Where a session above was left out, the list goes one level down at most.
    const level = Math.min(listed.depth + 1, open + 1)
    if (level > open) parts.push('<ol>')
    else parts.push(`</li>${'</ol></li>'.repeat(open - level)}`)
    open = level
    parts.push(`<li>${itemOf(listed)}`)
  }
  return `${parts.join('\n')}\n${'</li></ol>'.repeat(open)}`
}

function itemOf({ file, name, first, turns, branches, agents, cost, bytes: size }: Listed): string {
  const facts = [
    dayAndTime(first),
    plural(turns, 'turn'),
    branches > 0 ? `${branches} abandoned` : '',
    agents > 0 ? plural(agents, 'subagent') : '',
    cost === null ? '' : `$${cost.toFixed(2)}`,
    bytes(size),
  ].filter(fact => fact !== '')
  const address = file.split('/').map(encodeURIComponent).join('/')
  return `<div><a href="${escapeHtml(address)}">${escapeHtml(name)}</a><small>${escapeHtml(facts.join(' · '))}</small></div>`
}
