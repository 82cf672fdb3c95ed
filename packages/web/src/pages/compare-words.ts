/** What became of a line, in a word and a colour; and differences in figures. */
import type { Tone } from '../parts/badge.js'

/** `live`, `abandoned`, `taken back` ... */
export function statusWords(status: string): string {
  return status === 'retry' ? 'tried again' : status.replace('-', ' ')
}

export function statusTone(status: string): Tone {
  return status === 'live' ? 'good' : status === 'copy' ? 'plain' : 'warn'
}

/** How much more or less the second is; nothing where they are the same, or one is not known. */
export function difference(a: number | null, b: number | null, format: (value: number) => string): string {
  if (a === null || b === null || a === b) return ''
  return `${b > a ? '+' : '−'}${format(Math.abs(b - a))}`
}
