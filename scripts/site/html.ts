/** Pieces of HTML for the site. */
import { highlight as piecesOf } from '../../packages/web/src/text/highlight.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }

/** Text as HTML: nothing in it is markup. */
export function textHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => `&${ENTITIES[character]};`)
}

/** Code with its scopes as classes; `linkOf` gives the address of a name, or null. */
export function highlight(
  code: string,
  language: string,
  linkOf: (name: string) => string | null = () => null,
): string {
  return piecesOf(code, language)
    .map(({ text, scope }) => {
      const html = scope === 'comment' || scope === 'string' ? textHtml(text) : linkNames(text, linkOf)
      return scope === '' ? html : `<span class="h-${scope}">${html}</span>`
    })
    .join('')
}

function linkNames(text: string, linkOf: (name: string) => string | null): string {
  return text
    .split(/\b([A-Za-z_$][\w$]*)\b/)
    .map((part, at) => {
      const href = at % 2 === 1 ? linkOf(part) : null
      return href === null ? textHtml(part) : `<a href="${href}">${part}</a>`
    })
    .join('')
}
