/** Which addresses of a transcript may be followed. */

const FOLLOWED = new Set(['http:', 'https:', 'mailto:'])

/** The address where it leads to the web or to mail; null for every other kind, which then stays text. */
export function safeAddress(address: string): string | null {
  try {
    const url = new URL(address)
    return FOLLOWED.has(url.protocol) ? url.href : null
  } catch {
    return null
  }
}
