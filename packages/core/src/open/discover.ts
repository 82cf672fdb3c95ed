/** The projects among files: which transcripts belong together, and what the small files beside them say. */
import { groupBySession, SESSION_NAMED } from '../files/groups.js'
import { comparePaths, isTranscript, type Placement, placer, stemOf } from '../files/layout.js'
import {
  agentMeta,
  type Fields,
  fieldsOf,
  LARGEST_SIDECAR,
  runRecord,
  runRecordPath,
  textIn,
} from '../files/sidecars.js'
import { decodeUtf8 } from '../files/utf8.js'
import { agentId, fileId, sessionId } from '../model/ids.js'
import type { FileFacts, FileKind } from '../model/source.js'
import type { OpenFile } from './source.js'

/** A transcript, and what its path and its sidecars say of it. */
export interface GivenTranscript {
  readonly file: OpenFile
  readonly facts: FileFacts
}

/** A project folder, or several that hold files of the same session. */
export interface GivenProject {
  /** The folder; empty where files were given without one. */
  readonly path: string
  readonly transcripts: readonly GivenTranscript[]
}

/** Finds the projects among files, by path. Of two files with one path the first counts. */
export async function findProjects(given: readonly OpenFile[]): Promise<readonly GivenProject[]> {
  const files = new Map(given.toReversed().map(file => [file.path, file]))
  const fieldsAt = async (path: string): Promise<Fields | null> => {
    const file = files.get(path)
    return file === undefined || file.size > LARGEST_SIDECAR
      ? null
      : fieldsOf(decodeUtf8(await file.read(0, file.size)))
  }
  const place = placer(new Set(files.keys()))
  const folders = new Map<string, Folder>()
  for (const file of [...files.values()].sort((a, b) => comparePaths(a.path, b.path))) {
    const placed = asGiven(file.path, place(file.path))
    const folder = folders.get(placed.project) ?? {
      path: placed.project,
      transcripts: [],
      sessions: [],
    }
    folders.set(placed.project, folder)
    await addFile(folder, file, placed, fieldsAt)
  }
  const found = [...folders.values()].filter(({ transcripts }) => transcripts.length > 0)
  return groupBySession(found, ({ sessions }) => sessions).map(merge)
}

interface Folder {
  readonly path: string
  readonly transcripts: GivenTranscript[]
  readonly sessions: string[]
}

/** A file that was given by itself is a transcript, whatever its extension. */
function asGiven(path: string, placed: Placement): Placement {
  const isAlone = placed.what === 'foreign' && !path.includes('/')
  return isAlone ? { ...placed, session: stemOf(path), what: 'session' } : placed
}

async function addFile(
  folder: Folder,
  file: OpenFile,
  placed: Placement,
  fieldsAt: (path: string) => Promise<Fields | null>,
): Promise<void> {
  const { what, session } = placed
  if (!isTranscript(what)) return
  folder.transcripts.push({ file, facts: await factsOf(file.path, { ...placed, what }, fieldsAt) })
  const named = session ?? (what === 'agent' ? await sessionIn(file) : null)
  if (named !== null) folder.sessions.push(named)
}

async function factsOf(
  path: string,
  { what, session, agent, run }: Placement & { readonly what: FileKind },
  fieldsAt: (path: string) => Promise<Fields | null>,
): Promise<FileFacts> {
  const meta = what === 'agent' ? await fieldsAt(path.replace(/\.jsonl$/, '.meta.json')) : null
  const given = what === 'session' ? await fieldsAt(path.replace(/\.jsonl$/, '/custom-title.json')) : null
  const record = what === 'journal' ? await fieldsAt(runRecordPath(path)) : null
  return {
    path: fileId(path),
    kind: what,
    session: session === null ? null : sessionId(session),
    agent: agent === null ? null : agentId(agent),
    run,
    meta: meta && agentMeta(meta),
    ...(given === null ? {} : { title: textIn(given, 'customTitle') }),
    ...(what === 'journal' ? { runRecord: record && runRecord(record) } : {}),
  }
}

/** Bytes at the start of a subagent's file in which its rows name their session. */
const SESSION_WITHIN = 64 * 1024

async function sessionIn(file: OpenFile): Promise<string | null> {
  try {
    const start = await file.read(0, Math.min(SESSION_WITHIN, file.size))
    return SESSION_NAMED.exec(decodeUtf8(start))?.[1] ?? null
  } catch {
    // It is reported when its rows are read.
    return null
  }
}

function merge(folders: readonly Folder[]): GivenProject {
  return {
    path: folders[0]?.path ?? '',
    transcripts: folders.flatMap(({ transcripts }) => transcripts),
  }
}
