/** Bytes to text. The decoder is a part of every runtime (browsers, Node, workers), though not of the language itself. */

interface Decoder {
  readonly decode: (bytes: Uint8Array) => string
}

declare const TextDecoder: new (
  label: 'utf-8',
  options: { readonly fatal: boolean; readonly ignoreBOM: true },
) => Decoder

/** A byte order mark stays in the text, for the parser. */
const lenient = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text; bytes that are not UTF-8 become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return lenient.decode(bytes)
}

/** Whether bytes are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false
  }
}
