/** The command `dagline`, run on a session in a root of its own. */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from '@dagline/core/model'
import { type Json, objectOf, objectsIn, parseJson, textIn } from '@dagline/testkit'
import type { LabSession, NoSession } from '../cases/case.ts'
import { type CliRun, runProgram } from './sandbox.ts'

let folder: string | null = null
let command: string | null = null

/** A new folder below the one of this run, which is gone when the run ends. */
export function scratchFolder(): string {
  return mkdtempSync(join(runFolder(), 'case-'))
}

function runFolder(): string {
  if (folder !== null) return folder
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'dagline-lab-run-')))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  folder = made
  return made
}

/** The built command as it was when the run began: a build meanwhile changes nothing. */
export function builtCommand(): string {
  if (command !== null) return command
  const copy = join(runFolder(), 'command')
  cpSync(join('packages', 'cli', 'dist'), copy, { recursive: true })
  command = join(copy, 'dagline.js')
  return command
}

/** Runs the command with a home of its own. */
export function runDagline(words: readonly string[], home: string): Promise<CliRun> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home }
  return runProgram([process.execPath, builtCommand(), ...words], { env })
}

/** A session in a home of its own. */
export interface WrittenSession {
  readonly home: string
  /** The folder of its project. */
  readonly folder: string
  readonly path: string
}

/** Writes a session into a home of its own, in the project folder of its path, with an old time. */
export function writeSession({ session, text, folder, age }: LabSession): WrittenSession {
  const home = scratchFolder()
  const project = join(home, 'projects', folderFor(text))
  mkdirSync(project, { recursive: true })
  const path = join(project, `${session}.jsonl`)
  writeFileSync(path, text)
  letRest(path, age)
  if (folder !== null && existsSync(folder)) cpSync(folder, join(project, session), { recursive: true })
  return { home, folder: project, path }
}

function folderFor(text: string): string {
  const path = /"cwd":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  return path === undefined ? '-lab' : projectFolder(path)
}

/** Nobody has written to a file for a day or more: it is not taken to be in use. */
export function letRest(path: string, days = 1): void {
  const before = Date.now() / 1000 - days * 86_400
  utimesSync(path, before, before)
}

/** What was edited already: several questions are asked of one session. */
const EDITED = new Map<string, Promise<Edited>>()

type Edited = readonly LabSession[] | NoSession

/** The sessions that a command makes of one: `SESSION` among the words stands for it. */
export function edit(from: LabSession, words: readonly string[]): Promise<Edited> {
  const hash = createHash('sha1').update(from.text).digest('hex')
  const key = [from.session, hash, from.folder, ...words].join(' ')
  const edited = EDITED.get(key) ?? editAnew(from, words)
  EDITED.set(key, edited)
  return edited
}

async function editAnew(from: LabSession, words: readonly string[]): Promise<Edited> {
  const written = writeSession(from)
  const root = join(written.home, 'projects')
  const named = words.map(word => word.replace('SESSION', from.session))
  const run = await runDagline([...named, '--root', root, '--json'], written.home)
  const json = parseJson(run.output)
  if (run.exit !== 0 || json === null) return refused(run)
  if (json['edit'] === null) return { why: 'nothing to do', sentence: 'nothing to do' }
  const parts = objectsIn(json, 'parts')
  return (parts.length === 0 ? [json] : parts).map(part => sessionIn(written, part))
}

function refused({ exit, output, errors }: CliRun): NoSession {
  const message = (errors.trim() === '' ? output : errors).trim().replace(/\s+/g, ' ')
  return { why: 'refused', sentence: message.slice(0, 300) || `exit ${exit}` }
}

/** A fault as `doctor` names it. */
export interface NamedFault {
  readonly id: string
  readonly severity: string
  readonly fix: string | null
}

/** What `doctor` reports of a session. */
export interface DoctorReport {
  readonly now: number
  readonly possible: number
  readonly faults: readonly NamedFault[]
}

/** Runs `doctor` on a session; a sentence where it reports nothing. */
export async function runDoctor(from: LabSession): Promise<DoctorReport | string> {
  const written = writeSession(from)
  try {
    const words = ['doctor', from.session, '--root', join(written.home, 'projects'), '--json']
    return reportIn(await runDagline(words, written.home))
  } finally {
    removeHome(written)
  }
}

/** The report on one session; a sentence where there is none. */
export function reportIn(run: CliRun): DoctorReport | string {
  const [found] = objectsIn(parseJson(run.output) ?? {}, 'sessions')
  if (run.exit !== 0 || found === undefined) return refused(run).sentence
  const reach = objectOf(found['reach'])
  return {
    now: Number(reach?.['now']),
    possible: Number(reach?.['possible']),
    faults: objectsIn(found, 'faults').map(faultIn),
  }
}

function faultIn(json: Json): NamedFault {
  return { id: String(json['id']), severity: String(json['severity']), fix: textIn(json, 'fix') }
}

function sessionIn({ folder }: WrittenSession, json: Json): LabSession {
  const session = textIn(json, 'session') ?? ''
  const own = join(folder, session)
  const live = json['live']
  return {
    session,
    text: readFileSync(`${own}.jsonl`, 'utf8'),
    folder: existsSync(own) ? own : null,
    promise: Array.isArray(live) ? live.map(String) : [],
  }
}

/** Removes the home of a session that is no longer needed. */
export function removeHome({ home }: WrittenSession): void {
  rmSync(home, { recursive: true, force: true })
}
