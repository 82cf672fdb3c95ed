/** The page where people log in: it holds nothing of a session and runs no script. */
import { policyWithStyle } from '@dagline/server'
import type { Context } from 'hono'

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 26rem; margin: 15vh auto 0; padding: 0 1.25rem }
h1 { font-size: 1.35rem }
label, input, button, a { display: block; font: inherit }
input { width: 100%; box-sizing: border-box; margin: 0.25rem 0 0.9rem; padding: 0.45rem }
button, .go { padding: 0.45rem 0.9rem; border: 1px solid; border-radius: 6px; background: none; color: inherit;
  text-decoration: none; width: fit-content; margin-bottom: 1.6rem }
`

/** Replies with the page. `problem` says why somebody is here again. */
export function replyLoginPage(
  c: Context,
  { hasProvider, problem = null }: { readonly hasProvider: boolean; readonly problem?: string | null },
): Response {
  c.header(
    'Content-Security-Policy',
    policyWithStyle(STYLE).replace("form-action 'none'", "form-action 'self'"),
  )
  const provider = hasProvider ? '<a class="go" href="/login/provider">Log in</a>' : ''
  const alert = problem === null ? '' : `<p role="alert">${problem}</p>`
  return c.html(
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>dagline hub</title>
<style>${STYLE}</style>
<h1>dagline hub</h1>
${alert}
${provider}
<form method="post" action="/login">
<label for="token">Token of a device</label>
<input id="token" name="token" type="password" autocomplete="off" required>
<button>Log in with the token</button>
</form>
</html>
`,
    problem === null ? 200 : 401,
  )
}
