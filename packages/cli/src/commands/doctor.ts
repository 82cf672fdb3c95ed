/** `dagline doctor`: what is wrong with sessions, what it costs, and which command repairs it. */

import { type Examined, isFolder, jsonLines, UserError } from '@dagline/app'
import { FAULT_KINDS, isIll } from '@dagline/core/faults'
import { plural } from '@dagline/core/format'
import { type Command, Option } from 'commander'
import { type Action, collect, command, finish } from '../command.js'
import { type Console, unreadField } from '../console.js'
import { healthLines, tableOfHealth } from '../print/doctor.js'
import { unreadLines } from '../print/unread.js'

/** Adds `dagline doctor`. */
export function addDoctor(program: Command): void {
  const kind = new Option('--kind <id>', 'only problems of this kind; may be repeated')
  const made = command(
    program,
    'doctor [path|session]',
    'Find problems in sessions: what a resume loses, and which command repairs it.',
  )
    .addOption(kind.argParser(collect))
    .option('-a, --all', 'include healthy sessions')
  const act: Action = async (console, [word], options) => {
    await doctor(console, word ?? null, {
      kinds: Array.isArray(options['kind']) ? options['kind'].map(String) : [],
      all: options['all'] === true,
    })
  }
  finish(made, act, [
    'dagline doctor',
    'dagline doctor latest',
    'dagline doctor ~/.claude/projects/-home-dev-proj --kind dangling-parent',
    "dagline doctor --json | jq '.sessions[] | select(.reach.now < .reach.possible).session'",
  ])
}

interface DoctorOptions {
  /** Only faults of these kinds. */
  readonly kinds: readonly string[]
  /** Healthy sessions, too. */
  readonly all: boolean
}

/** Examines what a word names: a session by id or path, a project, a root; all without any. */
async function doctor(console: Console, word: string | null, options: DoctorOptions): Promise<void> {
  refuseUnknown(options.kinds)
  const isOne = word !== null && !isFolder(word)
  const found = await console.history.health(word)
  const isOfKind = options.kinds.length > 0 && !isOne
  const all = found.map(health => onlyKinds(health, options.kinds))
  // Whoever asks for a kind asks which sessions have it, however little it costs them.
  const chosen = isOfKind ? all.filter(({ faults }) => faults.length > 0) : all
  const shown = (isOne || isOfKind || options.all ? [...chosen] : chosen.filter(isIll)).sort(worstFirst)
  if (console.options.json) return await console.print(factLines(console, shown, chosen))
  if (isOne) return await console.print(shown.flatMap(health => [...healthLines(console, health)]))
  if (isOfKind && chosen.length === 0) return console.note('No session has such a fault.')
  if (found.length > 0) await console.print(tableOfHealth(console, shown, chosen))
  await console.print(unreadLines(console))
  const hidden = chosen.length - shown.length
  if (hidden > 0) console.note(`${plural(hidden, 'healthy session')} left out; --all shows them, with notes.`)
}

function refuseUnknown(kinds: readonly string[]): void {
  const known = FAULT_KINDS.map(({ id }) => id)
  const odd = kinds.find(kind => !known.includes(kind))
  if (odd !== undefined) throw new UserError(`There is no fault ${odd}: the kinds are ${known.join(', ')}.`)
}

function onlyKinds(health: Examined, kinds: readonly string[]): Examined {
  if (kinds.length === 0) return health
  return { ...health, faults: health.faults.filter(({ id }) => kinds.includes(id)) }
}

/** By errors, then by what is lost, then by warnings; the latest first among equals. */
function worstFirst(a: Examined, b: Examined): number {
  return (
    Number(hasError(b)) - Number(hasError(a)) ||
    lostOf(b) - lostOf(a) ||
    warningsOf(b) - warningsOf(a) ||
    (b.last || 0) - (a.last || 0)
  )
}

function hasError({ faults }: Examined): boolean {
  return faults.some(({ severity }) => severity === 'error')
}

function lostOf({ reach }: Examined): number {
  return reach.possible - reach.now
}

function warningsOf({ faults }: Examined): number {
  return faults.filter(({ severity }) => severity === 'warning').length
}

function factLines(console: Console, shown: readonly Examined[], all: readonly Examined[]): Iterable<string> {
  const met = new Set(shown.flatMap(({ faults }) => faults.map(({ id }) => id)))
  const kinds = FAULT_KINDS.filter(({ id }) => met.has(id))
  return jsonLines([
    ['dagline', 1],
    [
      'sessions',
      { list: shown.map(({ session, file, reach, faults }) => ({ session, file, reach, faults })) },
    ],
    ['kinds', { list: kinds.map(({ id, title, meaning, cost }) => ({ id, title, meaning, cost })) }],
    ['totals', totals(all)],
    ...unreadField(console),
  ])
}

function totals(all: readonly Examined[]): object {
  const sum = (pick: (health: Examined) => number): number =>
    all.reduce((total, each) => total + pick(each), 0)
  return {
    sessions: all.length,
    ill: all.filter(isIll).length,
    reach: { now: sum(({ reach }) => reach.now), possible: sum(({ reach }) => reach.possible) },
  }
}
