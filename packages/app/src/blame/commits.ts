/** Z6: the sessions behind commits: whose calls wrote the lines that they added, and who made them. */

import { join } from 'node:path'
import { type AttributedLine, attributeLines } from '@dagline/core/blame'
import { commitsMade, shellCalls } from '@dagline/core/content'
import { groupBy } from '@dagline/core/model'
import type { BlamedPrompt, CommitSession, CommitSessions } from '@dagline/core/protocol'
import { search } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import { repositoryOf } from '../locate/worktrees.js'
import { type CallOrigin, callsFor, promptBehind } from './calls.js'
import { askedPath, copiesOf } from './copies.js'
import { type AddedLines, blobsOf, type CommitDiff, commitDiff, commitsNamed } from './git.js'
import { type BlameSession, type BlameSource, entriesOf } from './source.js'

/** Commits of a range, and files of a commit, that are looked at. */
const MOST_COMMITS = 100
const MOST_FILES = 300

/** A commit with the files that it added lines to. */
interface CommitState {
  readonly commit: CommitDiff
  readonly files: readonly CommitFile[]
  /** Files that were not looked at. */
  readonly skipped: number
}

interface CommitFile extends AddedLines {
  readonly top: string
  readonly content: string
}

/** Asks git about a revision or a range `A..B`. Throws `UserError` where there is none, or no repository. */
export async function readCommits(folder: string, rev: string): Promise<readonly CommitState[]> {
  const repository = repositoryOf(folder)
  if (repository === null)
    throw new UserError(
      `${folder} is not in a git repository. Run the command in one, or name one with --repo.`,
      'no-entry',
    )
  if (rev.trim() === '')
    throw new UserError(
      'The commit is empty. Give a hash, a branch, or a range such as main..HEAD.',
      'no-entry',
    )
  const hashes = rev.startsWith('-') ? null : await commitsNamed(repository.top, rev, MOST_COMMITS)
  if (hashes === null)
    throw new UserError(
      `This repository has no commit ${rev}. Give a hash, a branch, or a range such as main..HEAD.`,
      'no-entry',
    )
  const states: CommitState[] = []
  for (const hash of hashes) {
    const state = await readCommit(repository.top, hash)
    if (state !== null) states.push(state)
  }
  return states
}

async function readCommit(top: string, hash: string): Promise<CommitState | null> {
  const commit = await commitDiff(top, hash)
  if (commit === null) return null
  const files = commit.files.filter(({ added }) => added.length > 0).slice(0, MOST_FILES)
  const contents = await blobsOf(
    top,
    files.map(({ path }) => `${commit.hash}:${path}`),
  )
  const read = files.flatMap((file, nth): readonly CommitFile[] => {
    const content = contents[nth]
    return content == null ? [] : [{ ...file, top, content }]
  })
  return { commit, files: read, skipped: commit.files.length - read.length }
}

/** The sessions behind a commit. */
export function sessionsBehind(source: BlameSource, { commit, files, skipped }: CommitState): CommitSessions {
  const { hash, author, time, subject, made } = commit
  const lines = files.flatMap(file => addedBy(source, file, made))
  const committers = whoCommitted(source, hash)
  const written = groupBy(
    lines.filter(({ edit }) => edit !== null),
    ({ edit }) => edit?.session ?? '',
  )
  const ids = new Set([...written.keys(), ...committers.keys()])
  const sessions = [...ids].map(id => sessionOf(id, written.get(id) ?? [], committers.get(id)))
  return {
    ...{ hash, author, time, subject },
    added: lines.length,
    outside: lines.filter(({ origin }) => origin === 'outside').length,
    undecided: lines.filter(({ origin }) => origin === 'undecided').length,
    skipped,
    sessions: sessions.sort((a, b) => b.lines - a.lines),
  }
}

/** A line that a commit added. */
interface CommitLine {
  readonly path: string
  readonly origin: AttributedLine['origin']['kind']
  /** The call that wrote it; null where none did, or it is not known which. */
  readonly edit: CallOrigin | null
}

/** The lines that a commit added to a file. Calls after the commit cannot have written them. */
function addedBy(
  source: BlameSource,
  { top, path, old, added, content }: CommitFile,
  made: number,
): readonly CommitLine[] {
  const calls = callsFor(source, copiesOf(source, askedPath(join(top, path)), old === null ? [] : [old]))
  const before = [...calls.events.entries()].filter(([, { time }]) => time <= made)
  const events = before.map(([, event]) => event)
  const { lines } = attributeLines(events, { track: COMMIT, content })
  return added.flatMap(number => {
    const origin = lines[number - 1]?.origin
    if (origin === undefined) return []
    const nth = origin.kind === 'edit' ? before[origin.edit]?.[0] : undefined
    return [{ path, origin: origin.kind, edit: nth === undefined ? null : (calls.origins[nth] ?? null) }]
  })
}

/** A commit is a copy of its own: no call works on it. */
const COMMIT = 'commit'

function sessionOf(
  id: string,
  lines: readonly CommitLine[],
  committer: Committer | undefined,
): CommitSession {
  const edits = lines.flatMap(({ edit }) => edit ?? [])
  const wrote = edits.flatMap(({ prompt }) => prompt ?? [])
  const prompts = [...groupBy(wrote, ({ node }) => node).values()].flatMap(([prompt, ...others]) =>
    prompt === undefined ? [] : [{ ...prompt, lines: others.length + 1 }],
  )
  const asked = committer?.prompt ?? null
  const isNew = asked !== null && !prompts.some(({ node }) => node === asked.node)
  return {
    session: id,
    title: edits[0]?.title ?? committer?.title ?? null,
    lines: lines.length,
    files: [...new Set(lines.map(({ path }) => path))],
    prompts: isNew ? [...prompts, { ...asked, lines: 0 }] : prompts,
    committed: committer?.node ?? null,
  }
}

/** The call that made a commit. */
interface Committer {
  readonly node: string
  readonly title: string | null
  readonly prompt: BlamedPrompt | null
}

/** Characters of a hash that git prints at least. */
const SHORT_HASH = 7
const MOST_RESULTS = 50

/** The sessions whose commands tell in their output that they made a commit. */
function whoCommitted(source: BlameSource, hash: string): ReadonlyMap<string, Committer> {
  const filter = { roots: source.roots, fields: ['output' as const] }
  const text = hash.slice(0, SHORT_HASH)
  const { hits, replaced } = search(source.index, source.ranges, {
    text: `${text}*`,
    filter,
    limit: MOST_RESULTS,
  })
  const found = new Map<string, Committer>()
  if (replaced.length > 0) return found
  for (const { session, node } of entriesOf(source, hits)) {
    const { graph, fact } = session
    const result = source.record(session, node)
    if (result === null || !commitsMade(result).some(start => hash.startsWith(start))) continue
    const call = graph
      .toolEnds(node)
      .flatMap(({ calls }) => calls.filter(each => runsGit(source, session, each)))[0]
    if (call === undefined) continue
    const id = graph.lineOf(call)?.domain.session ?? fact.session
    found.set(id, {
      node: graph.id(call),
      title: fact.title ?? fact.prompt,
      prompt: promptBehind(graph, call),
    })
  }
  return found
}

function runsGit(source: BlameSource, session: BlameSession, call: number): boolean {
  const json = source.record(session, call)
  return json !== null && shellCalls(json).some(({ command }) => /\bgit\b/.test(command))
}
