/** Colors by meaning. Without colors each of them returns the text as it is. */
import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]
type Paint = (text: string) => string
type Meaning = 'strong' | 'faint' | 'human' | 'claude' | 'agent' | 'tool' | 'good' | 'bad' | 'id'

export interface Style extends Readonly<Record<Meaning, Paint>> {
  /** The color of a lane in a drawing. */
  readonly lane: (text: string, lane: number) => string
}

const LANES: readonly Format[] = ['cyan', 'yellow', 'magenta', 'green', 'blue', 'red']

/** The colors, or none. */
export function styleFor(hasColors: boolean): Style {
  const use =
    (format: Format): Paint =>
    text =>
      hasColors && text !== '' ? styleText(format, text, { validateStream: false }) : text
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
