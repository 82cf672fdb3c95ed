/** `dagline sync`: brings the index up to date. */

import type { SyncReport } from '@dagline/app'
import { type IndexOptions, jsonLines } from '@dagline/app'
import { bytes, plural } from '@dagline/core/format'
import type { Command } from 'commander'
import { type Action, command, finish, textIn, withIndexOption } from '../command.js'
import { type Console, unreadField } from '../console.js'
import { again } from '../terminal/repeat.js'

/** Adds `dagline sync`. */
export function addSync(program: Command): void {
  const made = withIndexOption(
    command(program, 'sync', 'Update the index; other commands do this when they need it.'),
  ).option('-w, --watch', 'keep it up to date until Ctrl-C')
  const act: Action = async (console, _words, options) => {
    await sync(console, { index: textIn(options, 'index'), watch: options['watch'] === true })
  }
  finish(made, act, ['dagline sync', 'dagline sync --watch', 'dagline sync --json | jq .rows'])
}

interface SyncCommand extends IndexOptions {
  readonly watch: boolean
}

/** How long a change may go unseen; looking takes milliseconds. */
const LOOK_EVERY = 1000

/** Brings the index up to date once, or again and again. */
async function sync(console: Console, options: SyncCommand): Promise<void> {
  await syncOnce(console, options)
  if (!options.watch) return
  console.note('Watching; Ctrl-C ends it.')
  await again(LOOK_EVERY, () => syncOnce(console, options, true))
}

async function syncOnce(console: Console, options: SyncCommand, isSilent = false): Promise<void> {
  const start = performance.now()
  const { report, path } = await console.history.sync(options)
  if (report === null || (isSilent && report.read + report.removed === 0)) return
  const ms = performance.now() - start
  const gone = report.failed.filter(({ rule }) => rule === 'store/vanished').length
  if (gone > 0) console.note(`${plural(gone, 'file')} vanished while they were read: sync again.`)
  await console.print(console.options.json ? factLines(console, report, path, ms) : [sentence(report, ms)])
}

function factLines(console: Console, report: SyncReport, index: string, ms: number): Iterable<string> {
  return jsonLines([
    ['dagline', 1],
    ['index', index],
    ['files', report.present],
    ['read', report.read],
    ['removed', report.removed],
    ['rows', report.rows],
    ['bytes', report.bytes],
    ['ms', Math.round(ms)],
    ...unreadField(console),
  ])
}

function sentence({ present, read, removed, rows, bytes: size }: SyncReport, ms: number): string {
  const took = `${(ms / 1000).toFixed(1)} s`
  if (read + removed === 0) return `Up to date: ${plural(present, 'file')} (${took}).`
  const gone = removed === 0 ? '' : `, ${plural(removed, 'file')} gone`
  return `Read ${plural(read, 'file')} of ${present}${gone}: ${plural(rows, 'row')}, ${bytes(size)} (${took}).`
}
