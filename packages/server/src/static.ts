/** The page: a fixed list of files, and `index.html` for every address that the page routes itself. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Hono } from 'hono'
import { HttpError } from './reply.js'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const PLACEHOLDER = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>dagline</title>
<p>The page is not built: run <code>npm run bundle</code>, then start dagline again.
`

/** A part of the page is gone: another version was installed over it. */
const UPDATED = 'dagline was updated while it was running. Stop it and start it again.'

/** How the page begins. */
interface PageStart {
  readonly theme: string
  /** HU60: it is the page of a hub: people log in, and sessions are of several persons. */
  readonly isHub?: boolean
}

/** Adds the files of the page. A requested name is looked up in a list and never becomes part of a path. */
export function pageFiles(app: Hono, page: string, { theme, isHub = false }: PageStart): void {
  let files = listFiles(page)
  app.get('/:name{[\\w-]+\\.\\w+}', (c, next) => {
    const address = c.req.path
    // Another version may have been installed meanwhile, whose files have other names.
    if (!files.has(address)) files = listFiles(page)
    const file = files.get(address)
    if (file === undefined) return next()
    const bytes = readOr(() => readFileSync(file.path), null)
    if (bytes === null) throw new HttpError(404, 'updated', UPDATED)
    return c.body(bytes, 200, { 'Content-Type': file.type })
  })
  app.get('*', c => {
    if (c.req.path.startsWith('/api/') || !wantsPage(c.req.path, c.req.header('accept') ?? ''))
      throw new HttpError(404, 'no-such-thing', 'Nothing exists at this address.')
    const html = readOr(() => readFileSync(join(page, 'index.html'), 'utf8'), PLACEHOLDER)
    const themed = withTheme(html, theme)
    return c.html(isHub ? themed.replace('<html ', '<html data-hub ') : themed)
  })
}

/** U9: the page begins with the theme of the settings. */
function withTheme(html: string, theme: string): string {
  return /^(?:light|dark)$/.test(theme) ? html.replace('<html ', `<html data-theme="${theme}" `) : html
}

/** Programs such as curl do not accept HTML: they get the page only at its printed address. */
function wantsPage(path: string, accept: string): boolean {
  return path === '/' || accept.includes('text/html')
}

function listFiles(folder: string): ReadonlyMap<string, { readonly path: string; readonly type: string }> {
  const files = new Map<string, { path: string; type: string }>()
  for (const name of readOr(() => readdirSync(folder), [])) {
    const type = TYPES[extname(name)]
    if (type !== undefined && /^[\w-]+\.\w+$/.test(name))
      files.set(`/${name}`, { path: join(folder, name), type })
  }
  return files
}

/** What a file or folder holds, or the fallback where it cannot be read. */
function readOr<T, F>(read: () => T, fallback: F): T | F {
  try {
    return read()
  } catch {
    return fallback
  }
}
