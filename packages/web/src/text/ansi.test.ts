import { describe, expect, it } from 'vitest'
import { parseAnsi, settleLines } from './ansi.js'

const E = String.fromCharCode(27)

/** Pieces as `text{what is set}`. */
function pieces(text: string): string[] {
  return parseAnsi(text).map(({ text: part, ...style }) => {
    const set = Object.entries(style).filter(([, value]) => value !== null && value !== false)
    return `${part}{${set.map(([name, value]) => (value === true ? name : `${name}=${value}`)).join(' ')}}`
  })
}

describe('terminal output', () => {
  it('has colors and styles', () => {
    expect(pieces(`a${E}[1;31mb${E}[0mc${E}[94;42md${E}[39;49me`)).toEqual([
      'a{}',
      'b{color=1 bold}',
      'c{}',
      'd{color=12 background=2}',
      'e{}',
    ])
  })

  it('has 256 colors and RGB colors', () => {
    expect(pieces(`${E}[38;5;196mr${E}[48;5;240mg${E}[0m${E}[38;2;1;2;300mb${E}[38;5;3mi`)).toEqual([
      'r{color=#ff0000}',
      'g{color=#ff0000 background=#585858}',
      'b{color=#0102ff}',
      'i{color=3}',
    ])
  })

  it('omits all other sequences', () => {
    const bell = String.fromCharCode(7)
    expect(pieces(`a${E}[2K${E}[?25lb${E}]0;title${bell}c${E}]8;;http://x${E}\\d${bell}e${E}(f`)).toEqual([
      'a{}',
      'b{}',
      'c{}',
      'd{}',
      'e{}',
      '(f{}',
    ])
  })

  it('shows the last text of an overwritten line', () => {
    expect(settleLines('10%\r50%\r100%\nnext\r\nlast\r')).toBe('100%\nnext\nlast')
  })

  it('ignores invalid numbers', () => {
    expect(pieces(`${E}[38;9;9mx${E}[;;my${E}[38;2;mz`).map(piece => piece[0])).toEqual(['x', 'y', 'z'])
  })
})
