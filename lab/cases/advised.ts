/**
 * What `doctor` reports, checked: a session that a resume loads whole is resumed as it is, and all that is live must be
 * sent. For any other it must name a command, and after that command all is sent that was called possible.
 */
import { entryId } from '@dagline/core'
import { loadableIn } from '@dagline/core/faults'
import { objectOf, parseJson, textIn } from '@dagline/testkit'
import { edit, type NamedFault, runDoctor } from '../harness/dagline.ts'
import { type ReadSession, readSession } from '../harness/graph.ts'
import type { Advice, FoundSession, LabCase, LabSession, Making, NoSession } from './case.ts'

/** The case of a session for which the doctor is asked. */
export function advised(found: FoundSession): LabCase {
  return { asks: 'doctor', kind: found.kind, name: found.name, make: () => takeAdvice(found) }
}

async function takeAdvice(found: LabSession): Promise<Making> {
  const report = await runDoctor(found)
  const read = readSession(found.session, found.text)
  const all = loadableIn(read.graph, read.path, read.survey).map(node => read.graph.id(node))
  if (typeof report === 'string')
    return { why: all.length === 0 ? 'nothing to do' : 'refused', sentence: report }
  const faults = [...new Set(report.faults.map(({ id }) => id))]
  if (report.possible === 0 && all.length === 0)
    return { why: 'nothing to do', sentence: 'there is no conversation', advice: { ...NO_COMMAND, faults } }
  const isWhole = report.now === report.possible && !report.faults.some(isHarmful)
  if (isWhole) {
    const shortfall = all.length === report.possible ? '' : `${all.length} live, ${report.possible} possible`
    return { ...found, promise: all, advice: { ...NO_COMMAND, faults, shortfall } }
  }
  const fix = commandIn(report.faults)
  const words = fix === null ? [] : wordsOf(fix)
  const advice = { command: words[0] ?? null, faults, shortfall: '' }
  if (fix === null) return { why: 'refused', sentence: 'the doctor names no command', advice }
  return followed(found, words, advice, { ...read, all })
}

/** The case of what a second writer has written: the command that the doctor names for it is followed. */
export function otherSide(found: FoundSession): LabCase {
  const make = async (): Promise<Making> => {
    const report = await runDoctor(found)
    const fault =
      typeof report === 'string' ? undefined : report.faults.find(({ id }) => id === 'two-writers')
    const words = fault?.fix?.replace(found.session.slice(0, 8), 'SESSION').split(' ').slice(1)
    if (words === undefined) return { why: 'refused', sentence: 'the doctor names no second writer' }
    return partOf(await edit(found, words), 0)
  }
  return { asks: 'edit', kind: "checked out: the other writer's side", name: found.name, make }
}

/** Whether a resume does not send all messages, or not in their order. */
function isHarmful({ id, severity }: NamedFault): boolean {
  return severity === 'error' || id === 'no-message-id'
}

const NO_COMMAND = { command: null, shortfall: '' }

/** The command of the gravest fault that names one. */
function commandIn(faults: readonly NamedFault[]): string | null {
  const able = faults.filter(({ fix }) => fix?.startsWith('dagline ') === true)
  return (able.find(isHarmful) ?? able[0])?.fix ?? null
}

/** The words of a named command, with the session as `SESSION`; a repair is agreed to. */
function wordsOf(fix: string): readonly string[] {
  const [, command = '', , ...rest] = fix.split(' ')
  return [command, 'SESSION', ...rest, ...(command === 'repair' ? ['--yes'] : [])]
}

interface Source extends ReadSession {
  readonly all: readonly string[]
}

async function followed(
  found: LabSession,
  words: readonly string[],
  advice: Advice,
  source: Source,
): Promise<Making> {
  const command = advice.command ?? ''
  const made = await edit(found, words)
  if ('why' in made) return { why: 'refused', sentence: `${command}: ${made.sentence}`, advice }
  const [session] = made
  if (session === undefined) return { why: 'refused', sentence: `${command}: no session was made`, advice }
  return { ...session, advice: { ...advice, shortfall: shortfallOf(session, source) } }
}

/** Of what was possible, what the new session does not promise. */
function shortfallOf({ text, promise }: LabSession, { all, graph }: Source): string {
  const origins = new Map(text.split('\n').flatMap(originOn))
  const same = (uuid: string): string => {
    const node = graph.index(entryId(uuid))
    return node === null ? uuid : graph.id(graph.originalOf(node))
  }
  const kept = new Set((promise ?? []).map(uuid => same(origins.get(uuid) ?? uuid)))
  const lost = all.filter(uuid => !kept.has(same(uuid)))
  return lost.length === 0 ? '' : `${lost.length} of ${all.length} possible entries are not promised`
}

/** The uuid of a copied row, and the one that it was copied from. */
function originOn(row: string): readonly (readonly [string, string])[] {
  const json = row.includes('forkedFrom') ? parseJson(row) : null
  const [uuid, from] = [textIn(json, 'uuid'), textIn(objectOf(json?.['forkedFrom']), 'messageUuid')]
  return uuid === null || from === null ? [] : [[uuid, from]]
}

const REPAIR = ['repair', 'SESSION', '--yes', '--accept-loss']

/** The case of a session that is repaired: what the command promises is checked. */
export function repaired(found: FoundSession): LabCase {
  return { asks: 'repair', kind: found.kind, name: found.name, make: () => repairWith(found, REPAIR) }
}

async function repairWith(found: FoundSession, words: readonly string[]): Promise<Making> {
  const made = partOf(await edit(found, words), 0)
  const isEmpty = !/"type":"(?:user|assistant|human)"/.test(found.text)
  // It is refused with a sentence, and rightly.
  return 'why' in made && isEmpty ? { ...made, why: 'nothing to do' } : made
}

/** The case of a session that is repaired in place. */
export function repairedInPlace(found: FoundSession): LabCase {
  const make = (): Promise<Making> => repairWith(found, [...REPAIR, '--in-place'])
  return { asks: 'edit', kind: 'repaired in place', name: `${found.name}, ${found.kind}`, make }
}

/** One of the sessions that a command has made. */
export function partOf(sessions: readonly LabSession[] | NoSession, part: number): Making {
  if ('why' in sessions) return sessions
  return sessions[part] ?? { why: 'refused', sentence: 'no session was made' }
}
