/** The command `dagline`, run on a session in a root of its own. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '@dagline/core/model'
import { type Json, objectOf, objectsIn, parseJson, textIn } from '@dagline/testkit'
import type { LabSession, NoSession } from '../cases/case.ts'
import { builtCommand, scratchFolder } from './scratch.ts'

/** What a run of the command came to. */
export interface Told {
  readonly exit: number | null
  readonly output: string
  readonly errors: string
}

/** Runs the command with a home of its own. */
export function runDagline(words: readonly string[], home: string): Promise<Told> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home }
  const child = spawn(process.execPath, [builtCommand(), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', data => {
    output += String(data)
  })
  child.stderr.on('data', data => {
    errors += String(data)
  })
  return new Promise(resolve => child.once('close', exit => resolve({ exit, output, errors })))
}

/** A session in a root of its own. */
export interface Desk {
  readonly home: string
  /** The folder of its project. */
  readonly folder: string
  readonly path: string
}

/** Puts a session there, in the folder of the path that it was written in; that was long ago. */
export function layOut({ session, text, folder, age }: LabSession): Desk {
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
  const desk = layOut(from)
  const root = join(desk.home, 'projects')
  const spoken = words.map(word => word.replace('SESSION', from.session))
  const told = await runDagline([...spoken, '--root', root, '--json'], desk.home)
  const json = parseJson(told.output)
  if (told.exit !== 0 || json === null) return refused(told)
  if (json['edit'] === null) return { why: 'nothing to do', sentence: 'nothing to do' }
  const parts = objectsIn(json, 'parts')
  return (parts.length === 0 ? [json] : parts).map(part => sessionIn(desk, part))
}

function refused({ exit, output, errors }: Told): NoSession {
  const said = (errors.trim() === '' ? output : errors).trim().replace(/\s+/g, ' ')
  return { why: 'refused', sentence: said.slice(0, 300) || `exit ${exit}` }
}

/** A fault as the doctor names it. */
export interface NamedFault {
  readonly id: string
  readonly severity: string
  readonly fix: string | null
}

/** What the doctor says of a session. */
export interface DoctorsWord {
  readonly now: number
  readonly possible: number
  readonly faults: readonly NamedFault[]
}

/** Asks the doctor; its sentence where it says nothing of the session. */
export async function askDoctor(from: LabSession): Promise<DoctorsWord | string> {
  const desk = layOut(from)
  try {
    const words = ['doctor', from.session, '--root', join(desk.home, 'projects'), '--json']
    return wordIn(await runDagline(words, desk.home))
  } finally {
    clearDesk(desk)
  }
}

/** What the doctor has said of one session; its sentence where it says nothing. */
export function wordIn(told: Told): DoctorsWord | string {
  const [found] = objectsIn(parseJson(told.output) ?? {}, 'sessions')
  if (told.exit !== 0 || found === undefined) return refused(told).sentence
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

function sessionIn({ folder }: Desk, json: Json): LabSession {
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

/** Takes the root of a session away that is no longer needed. */
export function clearDesk({ home }: Desk): void {
  rmSync(home, { recursive: true, force: true })
}
