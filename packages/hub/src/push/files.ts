/** What there is on this machine that could be pushed, session by session. */
import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type FoundRoot, namedSession, type Project, stampOf } from '@dagline/store'
import { sha256 } from '../raw/pack.js'

/** A file that could be pushed. */
export interface LocalFile {
  /** Absolute path. */
  readonly place: string
  /** The folder of its project, and the path in it, as the hub names them. */
  readonly folder: string
  readonly path: string
  readonly kind: string
  readonly session: string | null
  /** Whether it has rows. */
  readonly rows: boolean
  readonly bytes: number
  readonly mtime: number
  /** As discovery saw it. */
  readonly stamp: string
}

/** The files of a session: what leaves together, and is redacted together. */
export interface LocalSession {
  /** Null for files that belong to no session. */
  readonly session: string | null
  /** The name of the folder of its transcripts. */
  readonly name: string
  /** The transcript itself comes first. */
  readonly files: readonly LocalFile[]
  readonly mtime: number
}

/** All sessions below some roots, the one that was written to last first. */
export function localSessions(roots: readonly FoundRoot[]): readonly LocalSession[] {
  const sessions = new Map<string, { name: string; session: string | null; files: LocalFile[] }>()
  for (const { root, projects } of roots)
    for (const project of projects)
      for (const file of filesOf(root, project)) {
        const key = `${root}\n${project.path}\n${file.session ?? ''}`
        const own = sessions.get(key) ?? { name: project.name, session: file.session, files: [] }
        sessions.set(key, own)
        own.files.push(file)
      }
  return [...sessions.values()]
    .map(each => ({
      ...each,
      files: each.files.sort((a, b) => Number(b.kind === 'session') - Number(a.kind === 'session')),
      mtime: Math.max(...each.files.map(({ mtime }) => mtime)),
    }))
    .sort((a, b) => b.mtime - a.mtime)
}

function filesOf(root: string, project: Project): LocalFile[] {
  const folder = folderName(root, project)
  const make = (path: string, kind: string, session: string | null, rows: boolean): LocalFile[] => {
    const place = join(root, path)
    try {
      const stats = statSync(place)
      const inner = project.path === '' ? path : path.slice(project.path.length + 1)
      const owner = session ?? (kind === 'agent' ? namedSession(place) : null)
      const { size: bytes, mtimeMs: mtime } = stats
      return [{ place, folder, path: inner, kind, session: owner, rows, bytes, mtime, stamp: stampOf(stats) }]
    } catch {
      // It is gone, or cannot be read: discovery reports it.
      return []
    }
  }
  return [
    ...project.files.flatMap(({ path, kind, session }) => make(path, kind, session, true)),
    ...[...project.sidecars, ...project.toolResults].flatMap(({ path, kind, session }) =>
      make(path, kind, session, false),
    ),
  ]
}

/** Two roots of one machine may have folders of the same name. Those of Claude Code's own root keep their names. */
function folderName(root: string, project: Project): string {
  const folder = project.path === '' ? project.name : project.path
  const isOwn = basename(root) === 'projects' && basename(dirname(root)) === '.claude'
  return isOwn ? folder : `${folder}+${sha256(Buffer.from(root)).toString('hex', 0, 3)}`
}
