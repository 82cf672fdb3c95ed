/** Colours by meaning. Without a terminal every one of them is the text itself. */
import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

export interface Style {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly human: (text: string) => string
  readonly claude: (text: string) => string
  readonly agent: (text: string) => string
  readonly tool: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly id: (text: string) => string
  /** The colour of a lane in a drawing. */
  readonly lane: (text: string, lane: number) => string
}

const LANES: readonly Format[] = ['cyan', 'yellow', 'magenta', 'green', 'blue', 'red']

/** The colours, or none. */
export function styleFor(colours: boolean): Style {
  const use = (format: Format) => (text: string) =>
    colours && text !== '' ? styleText(format, text, { validateStream: false }) : text
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
