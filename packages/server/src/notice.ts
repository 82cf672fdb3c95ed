/** V3: errors of the guard as a page, for people who followed a link. It holds nothing of a session and runs no script. */
import type { Context } from 'hono'
import { policyWithStyle } from './guard.js'
import type { HttpError } from './reply.js'

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto 0; padding: 0 1.25rem }
h1 { font-size: 1.35rem; line-height: 1.3 }
code { font: 0.92em ui-monospace, monospace; overflow-wrap: anywhere }
.go { display: inline-block; padding: 0.45rem 0.9rem; border: 1px solid; border-radius: 6px; font-weight: 600; color: inherit }
.go, p { overflow-wrap: anywhere }
`

/** Replies with a page that says what happened and what to do. */
export function replyNotice(c: Context, error: HttpError): Response {
  c.header('Content-Security-Policy', policyWithStyle(STYLE))
  return c.html(page(c, error), error.status)
}

function page(c: Context, { code, message }: HttpError): string {
  const { title, body } =
    code === 'wrong-origin' ? fromElsewhere(c) : { title: 'dagline', body: said(message) }
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>dagline</title>
<style>${STYLE}</style>
<h1>${title}</h1>
${body}
</html>
`
}

/**
 * The cookie does not travel with a link of another site, and no site may make the page read sessions by itself. The
 * reader decides: a click on a link of this page is a request of this server's own page.
 */
function fromElsewhere(c: Context): { readonly title: string; readonly body: string } {
  const { pathname, search } = new URL(c.req.url)
  // With the host, because a path that begins with two slashes would otherwise name another host.
  const address = `http://${c.req.header('host') ?? ''}${pathname}${search}`
  const body = `<p>You followed a link on another site to a page of dagline, which shows your Claude Code sessions on this machine.
dagline does not open pages for other sites by itself. That site cannot read what you open here.</p>
<p><a class="go" href="${escaped(address)}">Open the page</a></p>
<p><code>${escaped(address)}</code></p>`
  return { title: 'Open this page in dagline?', body }
}

function said(message: string): string {
  return `<p>${escaped(message)}</p>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
