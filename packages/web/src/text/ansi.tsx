/** Terminal output: colors and styles become nodes, all other control sequences are removed. */
import type { ComponentChildren, VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { Clamp } from './clamp.js'
import './text.css'

/** One of the sixteen colors, `#rrggbb`, or null for none. */
type AnsiColor = number | string | null

/** A piece of output in one style. */
interface AnsiPiece extends AnsiStyle {
  readonly text: string
}

interface AnsiStyle {
  readonly color: AnsiColor
  readonly background: AnsiColor
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly inverse: boolean
  readonly strike: boolean
}

const PLAIN: AnsiStyle = {
  color: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  strike: false,
}

/** Output, of which long ends are folded. */
export function Output({ text, lines }: { text: string; lines?: number }): VNode {
  return (
    <Clamp text={settleLines(text)} lines={lines ?? 20} name="output">
      {shown => (
        <pre class="output">
          <Ansi text={shown} />
        </pre>
      )}
    </Clamp>
  )
}

function Ansi({ text }: { text: string }): VNode {
  const nodes = useMemo(() => parseAnsi(text).map(renderPiece), [text])
  return <code>{nodes}</code>
}

function renderPiece(piece: AnsiPiece): ComponentChildren {
  const [color, background] = piece.inverse
    ? [piece.background, piece.color]
    : [piece.color, piece.background]
  const classes = classesOf(piece, color, background)
  const style = {
    ...(typeof color === 'string' ? { color } : {}),
    ...(typeof background === 'string' ? { backgroundColor: background } : {}),
  }
  if (classes === '' && Object.keys(style).length === 0) return piece.text
  return (
    <span class={classes} style={style}>
      {piece.text}
    </span>
  )
}

function classesOf(piece: AnsiPiece, color: AnsiColor, background: AnsiColor): string {
  const names: string[] = []
  if (typeof color === 'number') names.push(`color-${color}`)
  if (typeof background === 'number') names.push(`background-${background}`)
  if (piece.inverse && color === null && background === null) names.push('inverse')
  for (const name of ['bold', 'dim', 'italic', 'underline', 'strike'] as const)
    if (piece[name]) names.push(name)
  return names.join(' ')
}

/** Applies carriage returns, with which progress bars overwrite a line. */
export function settleLines(text: string): string {
  const whole = text.replaceAll('\r\n', '\n')
  if (!whole.includes('\r')) return whole
  return whole.replace(/[^\n]*\r(?=[^\n])/g, '').replaceAll('\r', '')
}

const ESCAPE = String.fromCharCode(27)
const BELL = String.fromCharCode(7)

/** Color sequences as the first group, then all other sequences, then control characters except white space. */
const SEQUENCE = new RegExp(
  [
    `${ESCAPE}\\[([0-9;:]*)m`,
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?`,
    `${ESCAPE}[@-_]?`,
    '(?![\\n\\t])\\p{Cc}',
  ].join('|'),
  'gu',
)

/** The pieces of an output, each in one style. */
export function parseAnsi(text: string): readonly AnsiPiece[] {
  const pieces: AnsiPiece[] = []
  let style = PLAIN
  let from = 0
  for (const match of text.matchAll(SEQUENCE)) {
    addPiece(pieces, text.slice(from, match.index), style)
    from = match.index + match[0].length
    if (match[1] !== undefined) style = applyCodes(style, match[1].split(/[;:]/).map(Number))
  }
  addPiece(pieces, text.slice(from), style)
  return pieces
}

function addPiece(pieces: AnsiPiece[], text: string, style: AnsiStyle): void {
  if (text !== '') pieces.push({ ...style, text })
}

function applyCodes(before: AnsiStyle, codes: readonly number[]): AnsiStyle {
  let style = before
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) {
      const [color, used] = extendedColor(codes.slice(at + 1))
      style = code === 38 ? { ...style, color } : { ...style, background: color }
      at += used
    } else style = applyCode(style, code)
  }
  return style
}

function applyCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 }
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 }
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 }
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 }
  return { ...style, ...CODES[code] }
}

const CODES: Readonly<Record<number, Partial<AnsiStyle>>> = {
  0: PLAIN,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { color: null },
  49: { background: null },
}

/** Reads `5;n` of 256 colors, or `2;r;g;b`, and returns how many numbers that took. */
function extendedColor(codes: readonly number[]): readonly [AnsiColor, number] {
  if (codes[0] === 5) return [indexedColor(codes[1] ?? 0), 2]
  if (codes[0] === 2) return [hex(codes[1] ?? 0, codes[2] ?? 0, codes[3] ?? 0), 4]
  return [null, 0]
}

function indexedColor(index: number): number | string {
  if (index < 16) return index
  if (index >= 232) return hex(8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10)
  const cube = index - 16
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40)
  return hex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6))
}

function hex(red: number, green: number, blue: number): string {
  const two = (value: number): string =>
    Math.min(255, Math.max(0, value || 0))
      .toString(16)
      .padStart(2, '0')
  return `#${two(red)}${two(green)}${two(blue)}`
}
