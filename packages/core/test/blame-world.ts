/** Files that sessions and people change in turn, with the truth about every line. */
import fc from 'fast-check'
import type { FileEvent } from '../src/blame/index.js'
import type { FileChange } from '../src/model/file-change.js'

/** Who wrote a line: the number of an event, or a person. */
type Writer = number | 'hand'

/** A step: what is done, to which copy, and numbers to choose by. */
export interface Step {
  readonly what: (typeof WHAT)[number]
  readonly copy: number
  readonly at: number
  readonly count: number
  /** The call records the file before it. */
  readonly isRecorded: boolean
}

const WHAT = [
  ...(['edit', 'edit', 'edit', 'within', 'multi', 'write', 'cut'] as const),
  ...(['hand', 'hand', 'hand-cut', 'read', 'restore', 'merge', 'rename', 'everywhere'] as const),
]

/** Steps; `isRecorded` as given, or either. */
export function steps(isRecorded: boolean | null): fc.Arbitrary<readonly Step[]> {
  const step = fc.record({
    what: fc.constantFrom(...WHAT),
    copy: fc.nat(1),
    at: fc.nat(1000),
    count: fc.nat(3),
    isRecorded: isRecorded === null ? fc.boolean() : fc.constant(isRecorded),
  })
  return fc.array(step, { minLength: 1, maxLength: 40 })
}

/** What happened, what the file is now, and who wrote what. */
export interface World {
  readonly events: readonly FileEvent[]
  readonly track: string
  /** The names that the file had, one after the other. */
  readonly names: readonly string[]
  readonly lines: readonly string[]
  readonly writers: ReadonlyMap<string, Writer>
  /** What the asked copy was before the first step and after each. */
  readonly states: readonly WorldState[]
}

/** A file as it was, and how many events there had been by then. */
interface WorldState {
  readonly path: string
  readonly lines: readonly string[]
  readonly events: number
}

interface Copy {
  track: string
  lines: readonly string[]
  readonly past: (readonly string[])[]
}

/** Lines that stand in many places, whoever wrote them. */
export const COMMON: readonly string[] = ['', '}', '  })']

/** Replays steps. With `common`, every third line is one that stands in many places. */
export function createWorld(plan: readonly Step[], common: boolean): World {
  const writers = new Map<string, Writer>()
  const events: FileEvent[] = []
  let made = 0
  const fresh = (writer: Writer, count: number): readonly string[] =>
    Array.from({ length: count }, () => {
      made++
      if (common && made % 3 === 0) return COMMON[made % COMMON.length] ?? ''
      const text = `line ${made}; written once`
      writers.set(text, writer)
      return text
    })
  const first = fresh('hand', 4)
  const copies: readonly Copy[] = ['/home/dev/shop/a.ts', '/home/dev/tree/a.ts'].map(track => ({
    track,
    lines: first,
    past: [first],
  }))
  const names = [copies[0]?.track ?? '']
  const states: WorldState[] = []
  const keep = (): void => {
    const { track: path = '', lines = [] } = copies[0] ?? {}
    states.push({ path, lines, events: events.length })
  }
  keep()
  const record = ({ track }: Copy, change: FileChange): void => {
    events.push({ track, time: 1000 + events.length, change })
  }
  for (const step of plan) {
    const copy = copies[step.copy]
    const other = copies[1 - step.copy]
    if (copy === undefined || other === undefined) continue
    const edit = events.length
    const text = `${copy.lines.join('\n')}\n`
    const before = step.isRecorded ? text : null
    const from = step.at % (copy.lines.length + 1)
    const to = Math.min(copy.lines.length, from + step.count)
    const put = (lines: readonly string[]): readonly string[] => [
      ...copy.lines.slice(0, from),
      ...lines,
      ...copy.lines.slice(to),
    ]
    switch (step.what) {
      case 'edit':
      case 'multi':
      case 'within': {
        const change = editOf(step, copy.lines, {
          from,
          to,
          fresh: count => fresh(edit, count),
          writers,
          edit,
        })
        if (change === null) break
        record(copy, { kind: 'replace', before, replacements: change.replacements })
        copy.lines = change.lines
        break
      }
      case 'cut':
        if (to === from || text.split(copy.lines.slice(from, to).join('\n')).length !== 2) break
        record(copy, {
          kind: 'replace',
          before,
          replacements: [{ old: copy.lines.slice(from, to).join('\n'), new: '', isAll: false }],
        })
        copy.lines = put([])
        break
      case 'write': {
        const lines = [...copy.lines.filter((_, nth) => nth % 4 !== step.count), ...fresh(edit, step.count)]
        record(copy, { kind: 'write', content: lines.join('\n'), before })
        copy.lines = lines
        break
      }
      case 'everywhere': {
        // A replacement of all occurrences changes every line that has the text.
        const changed = copy.lines.map(line => line.replaceAll(' once', ` once, then ${edit}`))
        if (text === `${changed.join('\n')}\n`) break
        for (const line of changed) if (line.includes(`then ${edit}`)) writers.set(line, edit)
        record(copy, {
          kind: 'replace',
          before,
          replacements: [{ old: ' once', new: ` once, then ${edit}`, isAll: true }],
        })
        copy.lines = changed
        break
      }
      case 'hand':
        copy.lines = put(fresh('hand', step.count + 1))
        break
      case 'hand-cut':
        copy.lines = put([])
        break
      case 'read':
        record(copy, { kind: 'seen', content: copy.lines.join('\r\n') })
        break
      case 'restore':
        copy.lines = copy.past[step.at % copy.past.length] ?? copy.lines
        break
      case 'merge': {
        const news = other.lines.filter(line => !copy.lines.includes(line) && !COMMON.includes(line))
        copy.lines = put([...copy.lines.slice(from, to), ...news])
        break
      }
      case 'rename':
        for (const each of copies) each.track = `${each.track.replace(/\d*\.ts$/, '')}${events.length}.ts`
        names.push(copies[0]?.track ?? '')
        break
    }
    copy.past.push(copy.lines)
    keep()
  }
  const [asked] = copies
  return { events, track: asked?.track ?? '', names, lines: asked?.lines ?? [], writers, states }
}

interface Chosen {
  readonly from: number
  readonly to: number
  readonly fresh: (count: number) => readonly string[]
  readonly writers: Map<string, Writer>
  readonly edit: number
}

/** An edit as a model makes it: some lines with their neighbours, a part of a line, or several places. */
function editOf(
  { what, count }: Step,
  lines: readonly string[],
  { from, to, fresh, writers, edit }: Chosen,
): {
  readonly lines: readonly string[]
  readonly replacements: (FileChange & { kind: 'replace' })['replacements']
} | null {
  const text = lines.join('\n')
  const isOnce = (part: string): boolean => part !== '' && text.split(part).length === 2
  if (what === 'within') {
    const line = lines[from]
    if (line === undefined || COMMON.includes(line) || !isOnce(line)) return null
    const changed = `${line} and more by ${edit}`
    writers.set(changed, edit)
    const replacement = { old: line.slice(2), new: changed.slice(2), isAll: false }
    return isOnce(replacement.old)
      ? { lines: lines.map(each => (each === line ? changed : each)), replacements: [replacement] }
      : null
  }
  const [start, end] = [Math.max(0, from - 1), Math.min(lines.length, to + 1)]
  const old = lines.slice(start, end).join('\n')
  if (!isOnce(old)) return null
  const inserted = fresh(count + 1)
  const replaced = [...lines.slice(start, from), ...inserted, ...lines.slice(to, end)]
  const after = [...lines.slice(0, start), ...replaced, ...lines.slice(end)]
  const replacements = [{ old, new: replaced.join('\n'), isAll: false }]
  if (what === 'edit') return { lines: after, replacements }
  const last = after.at(-1)
  if (last === undefined || COMMON.includes(last) || after.join('\n').split(last).length !== 2) return null
  const more = fresh(1)
  return {
    lines: [...after, ...more],
    replacements: [...replacements, { old: last, new: [last, ...more].join('\n'), isAll: false }],
  }
}
