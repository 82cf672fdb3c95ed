/** HU65: the page where people log in: it holds nothing of a session and runs no script. */
import { policyWithStyle } from '@dagline/server'
import type { Context } from 'hono'

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d4d7dd, #3a3f48); --faint: light-dark(#5c6370, #a0a6b1);
  --accent: light-dark(#2f5fa8, #7fa8e8) }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 27rem; margin: 12vh auto 0; padding: 0 1.25rem 2rem;
  background: light-dark(#fff, #15171b); color: light-dark(#1c1f24, #e8eaee) }
h1 { font-size: 1.35rem; margin: 0 0 0.3rem }
p { margin: 0 0 1.2rem }
[role=alert] { padding: 0.6rem 0.8rem; border: 1px solid light-dark(#c0392b, #f08a7e); border-radius: 6px }
label, input, button, a.go { display: block; font: inherit }
label { font-weight: 600 }
input { width: 100%; box-sizing: border-box; margin: 0.25rem 0 0.9rem; padding: 0.5rem; border: 1px solid var(--line);
  border-radius: 6px; background: none; color: inherit }
button, .go { box-sizing: border-box; width: 100%; padding: 0.5rem 0.9rem; border: 1px solid var(--accent); border-radius: 6px;
  background: none; color: var(--accent); font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
.or { margin: 1.2rem 0; color: var(--faint); text-align: center }
.help { margin-top: 1.4rem; color: var(--faint); font-size: 0.9rem }
code { font: 0.92em ui-monospace, monospace; overflow-wrap: anywhere }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

interface LoginPage {
  readonly hasProvider: boolean
  /** Where to go after the login: an address of the hub's own page. */
  readonly to: string
  /** Why somebody is here again, as a sentence. */
  readonly problem?: string | null
  readonly status?: 200 | 401 | 403 | 429 | 503
}

/** Replies with the page. */
export function replyLoginPage(
  c: Context,
  { hasProvider, to, problem = null, status = problem === null ? 200 : 401 }: LoginPage,
): Response {
  c.header(
    'Content-Security-Policy',
    policyWithStyle(STYLE).replace("form-action 'none'", "form-action 'self'"),
  )
  const next = encodeURIComponent(to)
  const provider = hasProvider
    ? `<a class="go" href="/login/provider?to=${next}">Log in with your account</a>\n<p class="or">or</p>`
    : ''
  const alert = problem === null ? '' : `<p role="alert">${escaped(problem)}</p>`
  return c.html(
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Log in · dagline hub</title>
<style>${STYLE}</style>
<main>
<h1>dagline hub</h1>
<p>Log in to see the sessions that your team shares.</p>
${alert}
${provider}
<form method="post" action="/login">
<input name="to" type="hidden" value="${escaped(to)}">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="off" required>
<button>Log in with the token</button>
</form>
<p class="help">No token? An administrator of the hub makes one with <code>dagline hub tokens add DEVICE read --person NAME</code>.</p>
</main>
</html>
`,
    status,
  )
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/** Characters of an address that a cookie can hold with all else. */
const LONGEST = 2000

/** The address after a login: one of the hub itself, whatever was asked for. */
export function ownAddress(asked: string | undefined): string {
  const base = 'http://hub.invalid'
  const isPath = asked?.startsWith('/') === true && asked.length <= LONGEST
  const url = isPath ? URL.parse(asked, base) : null
  return url === null || url.origin !== base ? '/' : url.pathname + url.search
}
