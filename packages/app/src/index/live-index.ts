/** The open index, and what is asked of it so often that it is kept until the index changes. */
import { existsSync, statSync } from 'node:fs'
import type { UsageBucket } from '@dagline/core/measure'
import { groupBy } from '@dagline/core/model'
import {
  checkPages,
  DamagedIndex,
  type IndexStore,
  type KnownFile,
  openIndex,
  type SessionFact,
  StoreError,
  setAside,
  takeLock,
  withErrors,
} from '@dagline/store'
import { UserError } from '../host/user-error.js'
import { bucketsOf } from './buckets.js'
import { damageMessage, mayReplace } from './open.js'

/** A session, and the files that its graph is made of. */
export interface IndexedSession {
  readonly fact: SessionFact
  readonly root: string
  readonly files: readonly KnownFile[]
}

export interface LiveIndex {
  /** The index, open for reading. Throws `UserError` while there is none. Ask for it in every request: it may be another. */
  readonly index: () => IndexStore
  /** The numbers of the roots in the index, for its questions. */
  readonly rootIds: () => readonly number[]
  /** All sessions of the roots, the newest first; read once for each state of the index. */
  readonly sessions: () => readonly SessionFact[]
  /** The root that one of `sessions` is of, where the roots are of several persons; else null. */
  readonly rootOf: (fact: SessionFact) => string | null
  /** The usage of the roots, added up; read once for each state of the index. */
  readonly usage: () => readonly UsageBucket[]
  /** All sessions whose id begins so; the one of exactly that id where there is one. */
  readonly find: (session: string) => readonly IndexedSession[]
  /** One session for each file group that holds an agent without a session's name. */
  readonly strays: () => readonly IndexedSession[]
  /** The session of each file that is meant, where it has one; else one of the sessions of its file group. */
  readonly groupsWith: (isMeant: (file: KnownFile) => boolean) => readonly IndexedSession[]
  /** The index has changed: whatever was kept is read again. */
  readonly refresh: () => void
  readonly close: () => void
}

/** Where a live index is opened from. */
export interface IndexSource {
  /** The index as it is now: the same one until it was replaced. Throws `UserError` while there is none. */
  readonly index: () => IndexStore
  /** What differs after every change. `known` is what it was when it was asked for last; empty for nothing. */
  readonly stamp: (known: string) => string
  readonly close: () => void
  /** The index holds pushed files only, and none of them is on the disk of this machine. */
  readonly isPushed?: boolean
}

/** What was read of one state of the index. */
interface CachedAnswers {
  readonly stamp: string
  rootIds?: readonly number[]
  sessions?: readonly SessionFact[]
  rootsOf?: ReadonlyMap<SessionFact, string>
  usage?: readonly UsageBucket[]
  groups?: readonly FileGroup[]
}

interface FileGroup {
  readonly root: string
  readonly files: readonly KnownFile[]
}

/**
 * An index file, asked for some roots. Nothing is opened before something is asked. I15: a damaged one is set aside, and
 * `rebuild` gets the message about it; null where another process is writing, which will notice by itself.
 */
export function openLiveIndex(
  path: string,
  roots: readonly string[],
  rebuild: (message: string | null) => void,
): LiveIndex {
  return createLiveIndex(indexFile(path, rebuild), roots)
}

/** An index from anywhere, asked for some roots. */
export function createLiveIndex(source: IndexSource, roots: readonly string[]): LiveIndex {
  const { index } = source
  let cache: CachedAnswers = { stamp: '' }
  const current = (): CachedAnswers => {
    const stamp = source.stamp(cache.stamp)
    if (cache.stamp !== stamp) cache = { stamp }
    return cache
  }
  const live: LiveIndex = {
    index,
    close: () => {
      source.close()
      cache = { stamp: '' }
    },
    refresh: () => {
      cache = { stamp: '' }
    },
    rootIds: () => {
      const now = current()
      now.rootIds ??= roots.flatMap(root => index().findRoot(root) ?? [])
      return now.rootIds
    },
    sessions: () => {
      const now = current()
      if (now.sessions === undefined && source.isPushed === true) {
        now.rootsOf = pushedSessions(index(), roots)
        now.sessions = [...now.rootsOf.keys()]
      }
      now.sessions ??= index().sessions(live.rootIds())
      return now.sessions
    },
    rootOf: fact => current().rootsOf?.get(fact) ?? null,
    usage: () => {
      const now = current()
      now.usage ??= bucketsOf(index(), live.rootIds())
      return now.usage
    },
    find: session => indexedSessionsOf(matching(live.sessions(), session), groups(), live.rootOf),
    strays: () => straysIn(live.sessions(), groups()),
    groupsWith: isMeant => groupsWith(live.sessions(), groups(), isMeant),
  }
  const groups = (): readonly FileGroup[] => {
    const now = current()
    now.groups ??= roots.flatMap(root => groupsIn(index(), root))
    return now.groups
  }
  return live
}

/**
 * The sessions of all roots with the root of each, the newest first. Where nothing is on disk, it says nothing of a session that it is
 * only in the archive.
 */
function pushedSessions(index: IndexStore, roots: readonly string[]): ReadonlyMap<SessionFact, string> {
  const found = roots.flatMap(root => {
    const id = index.findRoot(root)
    const facts = id === null ? [] : index.sessions([id])
    return facts.map(fact => [{ ...fact, archivedOnly: false }, root] as const)
  })
  const timeOf = ({ last }: SessionFact): number => last ?? Number.NEGATIVE_INFINITY
  return new Map(found.toSorted(([a], [b]) => (timeOf(b) === timeOf(a) ? 0 : timeOf(b) - timeOf(a))))
}

function indexFile(path: string, rebuild: (message: string | null) => void): IndexSource {
  let opened: { readonly index: IndexStore; readonly inode: number } | null = null
  const close = (): void => {
    opened?.index.close()
    opened = null
  }
  const toError = (error: unknown): unknown => {
    if (!(error instanceof DamagedIndex)) return error
    close()
    rebuild(asideMessage(path))
    return notReady()
  }
  const orRebuild = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw toError(error)
    }
  }
  return {
    close,
    index: () => {
      const inode = inodeOf(path)
      if (opened !== null && opened.inode !== inode) close()
      opened ??= {
        index: withErrors(
          orRebuild(() => openToRead(path)),
          // What is still being read of one that was set aside fails again, and is known.
          error => (opened === null && error instanceof DamagedIndex ? notReady() : toError(error)),
        ),
        inode,
      }
      return opened.index
    },
    stamp: known => {
      const stamp = stampOf(path)
      // Another program may have written to the file: its pages are compared before it answers.
      if (stamp !== known && opened !== null) orRebuild(() => checkPages(path, false))
      return stamp
    },
  }
}

function openToRead(path: string): IndexStore {
  try {
    return openIndex(path, { readOnly: true })
  } catch (error) {
    throw error instanceof StoreError && !(error instanceof DamagedIndex) ? notReady() : error
  }
}

function notReady(): UserError {
  const message = 'The index is not ready yet: the sessions are still being read. Try again in a moment.'
  return new UserError(message, 'not-ready')
}

/** Sets a damaged index aside, unless another process is writing it. */
function asideMessage(path: string): string | null {
  const unlock = mayReplace(path) ? takeLock(path, 0) : null
  if (unlock === null) return null
  try {
    return existsSync(path) ? damageMessage(setAside(path)) : null
  } finally {
    unlock()
  }
}

/** 0 where there is no file. */
function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0
}

/** What differs after every commit: SQLite writes beside the file first. */
function stampOf(path: string): string {
  return ['', '-wal']
    .map(end => {
      const stats = statSync(path + end, { throwIfNoEntry: false })
      return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`
    })
    .join(' ')
}

/** Files that are judged together; each that is in no group yet is left out. */
function groupsIn(index: IndexStore, root: string): readonly FileGroup[] {
  const id = index.findRoot(root)
  const files = (id === null ? [] : index.files(id)).filter(({ group }) => group !== null)
  return [...groupBy(files, ({ group }) => group).values()].map(members => ({ root, files: members }))
}

function matching(sessions: readonly SessionFact[], id: string): readonly SessionFact[] {
  const exact = sessions.filter(({ session }) => session === id)
  return exact.length > 0 || id === '' ? exact : sessions.filter(({ session }) => session.startsWith(id))
}

/** The groups that hold the sessions' own files. */
function indexedSessionsOf(
  facts: readonly SessionFact[],
  groups: readonly FileGroup[],
  rootOf: LiveIndex['rootOf'],
): readonly IndexedSession[] {
  return facts.flatMap(fact => {
    const own = rootOf(fact)
    // Two persons may have a file of the same path below their roots.
    const isOfRoot = ({ root }: FileGroup): boolean => own === null || root === own
    const group = groups.find(each => isOfRoot(each) && each.files.some(({ path }) => path === fact.file))
    return group === undefined ? [] : [{ fact, ...group }]
  })
}

function straysIn(sessions: readonly SessionFact[], groups: readonly FileGroup[]): readonly IndexedSession[] {
  return groups
    .filter(({ files }) => files.some(({ facts }) => facts.session === null))
    .flatMap(group => sessionIn(sessions, group, null))
}

function groupsWith(
  sessions: readonly SessionFact[],
  groups: readonly FileGroup[],
  isMeant: (file: KnownFile) => boolean,
): readonly IndexedSession[] {
  return groups.flatMap(group => {
    const meant = group.files.find(isMeant)
    return meant === undefined ? [] : sessionIn(sessions, group, meant.facts.session)
  })
}

/** The session of an id in a file group, or else any other of it. */
function sessionIn(
  sessions: readonly SessionFact[],
  group: FileGroup,
  id: string | null,
): readonly IndexedSession[] {
  const paths = new Set(group.files.map(({ path }) => path))
  const own = sessions.filter(({ file }) => file !== null && paths.has(file))
  const fact = own.find(({ session }) => session === id) ?? own[0]
  return fact === undefined ? [] : [{ fact, ...group }]
}
