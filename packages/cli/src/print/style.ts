/** Colors by meaning. Without colors each of them returns the text as it is. */
import { stripVTControlCharacters, styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]
type Paint = (text: string) => string
type Meaning = 'strong' | 'faint' | 'human' | 'claude' | 'agent' | 'tool' | 'good' | 'bad' | 'id'

export interface Style extends Readonly<Record<Meaning, Paint>> {
  /** The color of a lane in a drawing. */
  readonly lane: (text: string, lane: number) => string
}

/**
 * O1: stands for the escape character until text is written. It is made by chance in each process, so that no text from
 * disk can have it; an escape character in the text is one that came with data, and does not reach the terminal. The engine
 * seeds its random numbers in each process, and what is read was written before: nobody has to be kept from guessing
 * the next one, for which another 5 ms of code would be loaded.
 */
const MARK = Array.from({ length: 4 }, () => String.fromCharCode(0xe000 + Math.random() * 0x1900)).join('')

/** The text with the escape sequences of its colors. */
export function colored(text: string): string {
  return text.includes(MARK) ? text.replaceAll(MARK, '\u001b') : text
}

/** The text without its colors. */
export function uncolored(text: string): string {
  return stripVTControlCharacters(colored(text))
}

const LANES: readonly Format[] = ['cyan', 'yellow', 'magenta', 'green', 'blue', 'red']

/** The colors, or none. */
export function styleFor(hasColors: boolean): Style {
  const use = (format: Format): Paint => (hasColors ? paintIn(format) : text => text)
  const lanes = LANES.map(use)
  return {
    strong: use('bold'),
    faint: use('dim'),
    human: use(['bold', 'green']),
    claude: use(['bold', 'cyan']),
    agent: use(['bold', 'magenta']),
    tool: use('dim'),
    good: use('green'),
    bad: use('red'),
    id: use('yellow'),
    lane: (text, lane) => lanes[lane % lanes.length]?.(text) ?? text,
  }
}

/** A color. Where another one ends within the text, it begins again. */
function paintIn(format: Format): Paint {
  const sample = styleText(format, ' ', { validateStream: false }).replaceAll('\u001b', MARK)
  const [start = '', end = ''] = sample.split(' ')
  return text => (text === '' ? '' : `${start}${text.replaceAll(end, `${end}${start}`)}${end}`)
}
