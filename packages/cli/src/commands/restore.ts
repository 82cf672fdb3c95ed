/** `dagline restore`: gives back a session that the archive holds. */

import { jsonLines, type RestoredFile, type RestoreOptions, UserError } from '@dagline/app'
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

/** Writes the files of a session to their original locations, or below another folder. */
async function restore(console: Console, word: string, options: RestoreOptions): Promise<void> {
  const restored: RestoredFile[] = []
  const onFile = (file: RestoredFile): void => void restored.push(file)
  try {
    const { name, isSweptAgain } = await console.history.archive.restore(word, { ...options, onFile })
    await printRestored(console, name, restored)
    noteWritten(console, restored)
    if (isSweptAgain)
      console.note(
        'Claude Code deletes these files again at its next start, they are older than cleanupPeriodDays: --touch gives them the present time.',
      )
  } catch (error) {
    // What was written before a disk was full is told too.
    if (restored.length > 0) await printRestored(console, restored[0]?.file.session ?? word, restored)
    throw error
  }
  refuseDifferent(restored)
}

async function printRestored(
  console: Console,
  name: string,
  restored: readonly RestoredFile[],
): Promise<void> {
  const isJson = console.options.json
  await console.print(isJson ? jsonLines(restoredFacts(name, restored)) : restoredLines(console, restored))
}

function noteWritten(console: Console, restored: readonly RestoredFile[]): void {
  const written = restored.filter(({ outcome }) => outcome === 'written')
  const size = written.reduce((sum, file) => sum + file.bytes, 0)
  if (written.length > 0)
    console.note(`${plural(written.length, 'file')} written, ${bytes(size)}, each checked by its hash.`)
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
