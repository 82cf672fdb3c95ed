/** `dagline restore`: gives back a session that the archive holds. */

import { basename } from 'node:path'
import {
  type Archive,
  type ArchivedFile,
  ambiguous,
  archivePath,
  jsonLines,
  openArchive,
  type RestoredFile,
  restoreFiles,
  sweepDays,
  UserError,
  withArchive,
} from '@dagline/app'
import { bytes, plural } from '@dagline/core/format'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { restoredFacts, restoredLines } from '../print/archive.js'

/** Adds `dagline restore`. */
export function addRestore(program: Command): void {
  const made = command(
    program,
    'restore <session>',
    'Restore a session from the archive, byte for byte: transcript, subagents, sidecar files.',
  )
    .option('--to <dir>', 'write below this folder instead of the original locations')
    .option('-a, --all', 'include earlier versions of files, as NAME.v1.jsonl; needs --to')
    .option('--touch', 'set the file times to now, so that Claude Code does not delete them again')
    .option('--archive <file>', 'archive file to use (default: archive.db in the XDG data folder)')
  const act: Action = async (console, [session = ''], options) => {
    await restore(console, session, {
      archive: typeof options['archive'] === 'string' ? options['archive'] : null,
      to: typeof options['to'] === 'string' ? options['to'] : null,
      all: options['all'] === true,
      touch: options['touch'] === true,
    })
  }
  finish(made, act, [
    'dagline restore 4539d2d0',
    'dagline restore 4539d2d0 --to /tmp/old',
    'dagline restore 4539d2d0 --to /tmp/old --all --json | jq .files',
  ])
}

/** What the command was told. */
interface RestoreWishes {
  readonly archive: string | null
  readonly to: string | null
  readonly all: boolean
  readonly touch: boolean
}

/** Writes the files of a session to their old places, or below another folder. */
async function restore(console: Console, word: string, wishes: RestoreWishes): Promise<void> {
  if (wishes.all && wishes.to === null)
    throw new UserError('Earlier versions are not put among the originals: give a folder with --to.')
  const restored = await withArchive(
    () => openArchive(wishes.archive ?? archivePath()),
    open => restoreWord(console, open, word, wishes),
  )
  noteSweep(console, restored, wishes)
  refuseDifferent(restored)
}

async function restoreWord(
  console: Console,
  open: Archive,
  word: string,
  { to, all, touch }: RestoreWishes,
): Promise<readonly RestoredFile[]> {
  const { name, files } = findFiles(open.list(), word)
  const restored: RestoredFile[] = []
  try {
    for (const file of restoreFiles(open, files, { ...(to === null ? {} : { to }), all, touch })) {
      restored.push(file)
      console.progress(`restoring: ${restored.length} of ${files.length} files`)
    }
  } finally {
    console.progress(null)
    // What was written before a disk was full is told too.
    const isJson = console.options.json
    await console.print(isJson ? jsonLines(restoredFacts(name, restored)) : restoredLines(console, restored))
  }
  const written = restored.filter(({ outcome }) => outcome === 'written')
  const size = written.reduce((sum, file) => sum + file.bytes, 0)
  if (written.length > 0)
    console.note(`${plural(written.length, 'file')} written, ${bytes(size)}, each checked by its hash.`)
  return restored
}

interface Found {
  readonly name: string
  readonly files: readonly ArchivedFile[]
}

/** The files of the session of an id, or of a unique beginning of one; else a file by the beginning of its name. */
function findFiles(files: readonly ArchivedFile[], word: string): Found {
  if (word === '') throw new UserError('An empty word names no session: give an id or the beginning of one.')
  const ids = [...new Set(files.flatMap(({ session }) => session ?? []))]
  const near = ids.some(id => id === word) ? [word] : ids.filter(id => id.startsWith(word))
  const [name] = near
  if (near.length > 1) throw new UserError(ambiguous(word, near, 'sessions'))
  if (name !== undefined) return { name, files: files.filter(({ session }) => session === name) }
  const named = files.filter(({ path }) => basename(path).startsWith(word))
  if (named.length > 0) return { name: word, files: named }
  throw new UserError(
    `The archive has no session that begins with ${word}: \`dagline archive stats\` says what it holds.`,
  )
}

/** A file that keeps its old time is swept again at the next start of Claude Code. */
function noteSweep(console: Console, restored: readonly RestoredFile[], { to, touch }: RestoreWishes): void {
  if (to !== null || touch) return
  const isOld = restored.some(({ file, outcome }) => {
    const days = sweepDays(file.root)
    return outcome === 'written' && days !== null && file.mtime + days * 86_400_000 < Date.now()
  })
  if (isOld) {
    console.note(
      'Claude Code deletes these files again at its next start, they are older than cleanupPeriodDays: --touch gives them the present time.',
    )
  }
}

function refuseDifferent(restored: readonly RestoredFile[]): void {
  const different = restored.filter(({ outcome }) => outcome === 'differs')
  const [first] = different
  if (first === undefined) return
  const others = different.length > 1 ? ` and ${plural(different.length - 1, 'other file')}` : ''
  throw new UserError(
    `${first.target}${others}: what is there differs and was left as it is; give another folder with --to.`,
  )
}
