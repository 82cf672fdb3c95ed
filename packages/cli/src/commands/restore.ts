/** `dagline restore`: gives back a session that the archive holds. */
import { type RestoredFile, UserError } from '@dagline/app'
import { bytes, plural } from '@dagline/core/format'
import { type AddCommand, ARCHIVE, defineCommand, flag, text } from '../command.js'
import type { Console } from '../console.js'
import { shared } from '../options.js'
import { restoredFacts, restoredLines } from '../print/archive.js'

export const restoreCommand: AddCommand = defineCommand({
  usage: 'restore <session>',
  description: 'Restore a session from the archive, byte for byte: transcript, subagents, sidecar files.',
  options: {
    out: text(...shared('out', ': a folder, instead of the original locations')),
    versions: flag('--versions', 'also earlier versions of files, as NAME.v1.jsonl; needs --out'),
    touch: flag('--touch', 'set the file times to now, so that Claude Code does not delete them again'),
    archive: ARCHIVE,
  },
  examples: [
    'dagline restore 019c5be1',
    'dagline restore 019c5be1 --out ~/restored',
    'dagline restore 019c5be1 --out ~/restored --versions --json | jq .files',
  ],
  run: async (console, [word = ''], { out: to, versions: all, ...options }) => {
    const restored: RestoredFile[] = []
    const onFile = (file: RestoredFile): void => void restored.push(file)
    try {
      const { name, isSweptAgain } = await console.history.archive.restore(word, {
        ...options,
        to,
        all,
        onFile,
      })
      await printRestored(console, name, restored)
      noteWritten(console, restored)
      if (isSweptAgain)
        console.note(
          'Claude Code deletes these files again at its next start, because they are older than cleanupPeriodDays. Use --touch to set their times to now.',
        )
    } catch (error) {
      // Files that were written before the disk was full are listed, too.
      if (restored.length > 0) await printRestored(console, restored[0]?.file.session ?? word, restored)
      throw error
    }
    failIfDifferent(restored)
  },
})

async function printRestored(
  console: Console,
  name: string,
  restored: readonly RestoredFile[],
): Promise<void> {
  if (console.options.json) await console.printJson('restore', restoredFacts(name, restored))
  else await console.print(restoredLines(console, restored))
}

function noteWritten(console: Console, restored: readonly RestoredFile[]): void {
  const written = restored.filter(({ outcome }) => outcome === 'written')
  const size = written.reduce((sum, file) => sum + file.bytes, 0)
  if (written.length > 0)
    console.note(`${plural(written.length, 'file')} written and verified by hash, ${bytes(size)}.`)
  const mirrored = written.filter(({ file }) => file.isMirrored).length
  if (mirrored > 0)
    console.note(
      `${plural(mirrored, 'file')} of a program of the Agent SDK: entries are the original's, bytes need not be.`,
    )
}

function failIfDifferent(restored: readonly RestoredFile[]): void {
  const different = restored.filter(({ outcome }) => outcome === 'differs')
  const [first] = different
  if (first === undefined) return
  const others = different.length > 1 ? ` and ${plural(different.length - 1, 'other file')}` : ''
  throw new UserError(
    `${first.target}${others} on disk differs from the archive and was not changed. Use --out to restore into another folder.`,
  )
}
