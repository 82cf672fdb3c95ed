/** All strings of a value of unknown shape: the input of a tool, an attachment, a block of an unknown kind. */
import { asObject } from '../parse/json.js'

/** Fields that only the API can read. */
const opaque: ReadonlySet<string> = new Set([
  'encrypted_content',
  'encrypted_index',
  'encrypted_stdout',
  'signature',
])

/** The strings, one a line, in their order; null where there are none. Numbers, flags and encoded bytes are left out. */
export function stringsIn(value: unknown): string | null {
  const strings: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') strings.push(next)
    else if (Array.isArray(next)) for (let at = next.length - 1; at >= 0; at--) open.push(next[at])
    else if (typeof next === 'object' && next !== null) openFields(next, open)
  }
  return strings.length === 0 ? null : strings.join('\n')
}

function openFields(object: object, open: unknown[]): void {
  const hasBytes = isEncoded(object)
  const fields = Object.entries(object)
  for (let at = fields.length - 1; at >= 0; at--) {
    const [key, value] = fields[at] ?? []
    if (!opaque.has(key ?? '') && !(hasBytes && key === 'data')) open.push(value)
  }
}

/** `{type: base64, media_type, data}`: the source of an image or of a document that is no text. */
function isEncoded(object: object): boolean {
  const { media_type } = asObject(object) ?? {}
  return typeof media_type === 'string' && !media_type.startsWith('text/')
}
