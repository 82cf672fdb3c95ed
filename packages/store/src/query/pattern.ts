/**
 * H7: regular expressions that cannot stop anything. A pattern may take longer than the universe on one text, and nothing in
 * JavaScript can interrupt it; a script of `node:vm` with a time limit can. Texts are matched in batches, since each run
 * of a script costs as much as matching many texts.
 */
import { createContext, Script } from 'node:vm'

/** Milliseconds that one text may take, and that a batch may take before it gives way to other work. */
const LIMIT = 250
const SLICE = 25
/** How often a text is tried that was interrupted before it had its time: on a busy machine others have the processor. */
const MOST_TRIES = 8

/** A text, and what matched is used for. */
interface Candidate<T> {
  readonly text: string
  readonly item: T
}

/** What became of the first texts of a batch. */
interface Matched<T> {
  readonly matched: readonly Candidate<T>[]
  /** How many of the batch were tried, the one that took too long included; one that was interrupted is to be tried again. */
  readonly tried: number
  /** Whether the last of them took too long. */
  readonly isSlow: boolean
}

interface PatternMatcher {
  /** Tries texts in their order, until one takes too long or the time of a batch is over. */
  readonly match: <T>(batch: readonly Candidate<T>[]) => Matched<T>
  /** Whether a row of a transcript can hold a text that matches; true where only the text itself tells. */
  readonly canHold: (row: string) => boolean
}

/** A pattern as it is matched against texts. */
export function createMatcher(pattern: RegExp): PatternMatcher {
  const literal = requiredLiteral(pattern.source)
  const required = literal === null ? null : new RegExp(literal, 'iu')
  const allowance = createAllowance()
  return {
    match: batch => matchBatch(pattern, batch, allowance),
    // Only an escaped character of ASCII could hide a part of the literal.
    canHold: row => required === null || required.test(row) || row.includes('\\u00'),
  }
}

/** What is left to a text: processor time, and tries. */
interface Allowance {
  /** Notes that a try was interrupted after so many milliseconds of processor time; true where the text may be tried again. */
  readonly interrupt: (used: number) => boolean
  /** The next text has all of it. */
  readonly renew: () => void
}

function createAllowance(): Allowance {
  let [used, tries] = [0, 0]
  return {
    interrupt: more => {
      used += more
      return ++tries < MOST_TRIES && used < LIMIT
    },
    renew: () => {
      used = 0
      tries = 0
    },
  }
}

/** Milliseconds of processor time of this thread; of the process where Node cannot tell them apart. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/** The first text of a batch may have been interrupted before. */
function matchBatch<T>(pattern: RegExp, batch: readonly Candidate<T>[], allowance: Allowance): Matched<T> {
  const matched: Candidate<T>[] = []
  if (batch.length === 0) return { matched, tried: 0, isSlow: false }
  let tried = 0
  const begun = processorTime()
  const isDone = limitedOnce(() => {
    const start = performance.now()
    for (const candidate of batch) {
      tried++
      // Unlike a test, a search leaves the pattern at its beginning.
      if (candidate.text.search(pattern) >= 0) matched.push(candidate)
      allowance.renew()
      if (performance.now() - start > SLICE) break
    }
    return true
  })
  if (isDone !== null) return { matched, tried, isSlow: false }
  if (allowance.interrupt(processorTime() - begun)) return { matched, tried: tried - 1, isSlow: false }
  allowance.renew()
  return { matched, tried, isSlow: true }
}

const sandbox: { work: () => unknown } = { work: () => null }
const context = createContext(sandbox)
const script = new Script('work()')

/** Does some work; null where it takes longer than a text may. Work that is interrupted is done again from its beginning. */
export function limited<T>(work: () => T): T | null {
  const allowance = createAllowance()
  for (;;) {
    const begun = processorTime()
    const done = limitedOnce(work)
    if (done !== null || !allowance.interrupt(processorTime() - begun)) return done
  }
}

/** Does some work; null where it was interrupted. */
function limitedOnce<T>(work: () => T): T | null {
  let done: { readonly value: T } | null = null
  sandbox.work = () => {
    done = { value: work() }
  }
  try {
    script.runInContext(context, { timeout: LIMIT + SLICE })
  } catch (error) {
    // It belongs to the context, and is not an `Error` of this one.
    if (!(typeof error === 'object' && error !== null && 'code' in error && error.code === TIMED_OUT))
      throw error
    return null
  } finally {
    sandbox.work = () => null
  }
  return valueIn(done)
}

const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT'

function valueIn<T>(done: { readonly value: T } | null): T | null {
  return done === null ? null : done.value
}

const SHORTEST = 3

/**
 * The longest word that every match of a pattern has; null where there is none, or where finding it takes more than a
 * look at the outermost characters. Only letters, digits and `_` count: they stand in JSON as they are.
 */
export function requiredLiteral(source: string): string | null {
  // One alternative may do without what the others need.
  if (source.includes('|')) return null
  const words = outerText(source).match(/\w+/g) ?? []
  const [longest = ''] = words.filter(word => /\D/.test(word)).sort((a, b) => b.length - a.length)
  return longest.length < SHORTEST ? null : longest
}

const ESCAPE = /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pk][{<][^}>]*[}>]|\d+|.)/gis

/** The characters outside of groups and classes that each stand for themselves and must be there; blanks for the rest. */
function outerText(source: string): string {
  const flat = withoutGroups(source.replace(ESCAPE, ' ').replace(/\[[^\]]*\]/g, ' '))
  // A character with a quantifier may be missing, or be repeated.
  return flat.replace(/.(?:[*?]|\{[^}]*\}?)\??/gsu, ' ').replace(/\+/g, ' ')
}

function withoutGroups(source: string): string {
  let depth = 0
  let outer = ''
  for (const character of source) {
    if (character === '(') depth++
    if (depth === 0) outer += character
    if (character === ')') {
      depth--
      outer += ' '
    }
  }
  return outer
}
