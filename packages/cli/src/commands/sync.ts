/** `dagline sync`: brings the index up to date. */
import type { SyncReport } from '@dagline/app'
import { bytes, duration, plural } from '@dagline/core/format'
import { type AddCommand, defineCommand, flag, INDEX } from '../command.js'
import { type Console, unreadField } from '../console.js'
import { shared } from '../options.js'
import { repeat } from '../terminal.js'

export const syncCommand: AddCommand = defineCommand({
  usage: 'sync',
  description: 'Update the index; other commands do this when they need it.',
  options: { index: INDEX, watch: flag(...shared('watch')) },
  examples: ['dagline sync', 'dagline sync --watch', 'dagline sync --json | jq .rows'],
  run: async (console, _words, { index, watch }) => {
    await syncOnce(console, index)
    if (!watch) return
    console.note('Watching; press Ctrl-C to stop.')
    await repeat(LOOK_EVERY, () => syncOnce(console, index, 'changes only'))
  },
})

/** How long a change may go unseen, in milliseconds; to look takes a few of them. */
const LOOK_EVERY = 1000

async function syncOnce(console: Console, index: string | null, what?: 'changes only'): Promise<void> {
  const start = performance.now()
  const { report, path } = await console.history.sync({ index })
  if (report === null || (what !== undefined && report.read + report.removed === 0)) return
  const ms = Math.round(performance.now() - start)
  const { present: files, read, removed, rows, failed } = report
  const vanished = failed.filter(({ rule }) => rule === 'store/vanished').length
  if (vanished > 0)
    console.note(`${plural(vanished, 'file')} vanished while being read. Run \`dagline sync\` again.`)
  if (console.options.json)
    await console.printJson('sync', {
      index: path,
      files,
      read,
      removed,
      rows,
      bytes: report.bytes,
      ms,
      ...unreadField(console),
    })
  else await console.print([sentence(report, ms)])
}

function sentence({ present, read, removed, rows, bytes: size }: SyncReport, ms: number): string {
  const took = duration(ms)
  if (read + removed === 0) return `Up to date: ${plural(present, 'file')} (${took}).`
  const gone = removed === 0 ? '' : `, ${plural(removed, 'file')} removed`
  return `Read ${plural(read, 'file')} of ${present}${gone}: ${plural(rows, 'row')}, ${bytes(size)} (${took}).`
}
