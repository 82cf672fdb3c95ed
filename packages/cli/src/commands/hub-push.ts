/** `dagline hub push`: sends what is new in the sessions of named projects. */
import { UserError } from '@dagline/app'
import { plural, bytes as sizeOf } from '@dagline/core/format'
import { type HeldProject, openPushing, type PushReport } from '@dagline/hub'
import type { Console } from '../console.js'
import type { HubOptions } from './hub.js'

export async function pushToHub(
  console: Console,
  words: readonly string[],
  options: HubOptions,
): Promise<void> {
  if (words.length > 0)
    throw new UserError(
      `hub push takes no argument ${words[0]}. Name projects with \`dagline config set push\`, or give --root.`,
    )
  if (options.watch && options.dryRun) throw new UserError('Give --watch or --dry-run, not both.')
  const pushing = openPushing(hubTarget(console, options))
  try {
    if (options.dryRun) return await print(console, await pushing.dryRun(), true)
    const report = await pushing.push(progressOf(console))
    console.progress(null)
    await print(console, report, false)
    if (!options.watch) return
    console.note('Watching; press Ctrl-C to stop.')
    await pushing.watch({
      onPush: async next => {
        if (next.files > 0) await print(console, next, false)
      },
      onFailure: message => console.note(message),
    })
  } finally {
    console.progress(null)
    await pushing.close()
  }
}

/** What the actions of a client need to know. */
export function hubTarget(
  console: Console,
  { hub, team, person }: HubOptions,
): Parameters<typeof openPushing>[0] {
  return { url: hub, team, person, roots: console.options.root }
}

function progressOf(console: Console): (progress: { sessions: number; ofSessions: number }) => void {
  return ({ sessions, ofSessions }) => console.progress(`Pushing session ${sessions} of ${ofSessions}`)
}

async function print(console: Console, report: PushReport, isTrial: boolean): Promise<void> {
  if (console.options.json) await console.printJson('hub', pushFacts(report, isTrial))
  else await console.print(pushLines(report, isTrial))
  if (report.heldFiles.length > 0) console.fail()
}

function pushFacts(report: PushReport, isTrial: boolean) {
  const { allowed, sessions, files, bytes, sent, labels, redacted, held, heldFiles, deleted } = report
  return {
    action: 'push',
    dryRun: isTrial,
    allowed,
    sessions,
    files,
    bytes,
    sent,
    labels,
    redacted,
    held: { list: held.map(heldFacts) },
    heldFiles: { list: heldFiles.map(({ place, reason }) => ({ path: place, reason })) },
    deleted,
  } as const
}

/** A project that stays, as JSON. */
export function heldFacts({ origin, reason, sessions, bytes }: HeldProject): {
  project: string
  remote: string | null
  reason: HeldProject['reason']
  sessions: number
  bytes: number
} {
  const [remote = null] = origin.remotes ?? []
  return { project: origin.cwd ?? origin.folder, remote, reason, sessions, bytes }
}

function* pushLines(report: PushReport, isTrial: boolean): Generator<string> {
  const { allowed, sessions, files, bytes, sent, labels, redacted, held, heldFiles } = report
  const verb = isTrial ? 'Would push' : 'Pushed'
  const size = isTrial ? sizeOf(bytes) : `${sizeOf(bytes)}, ${sizeOf(sent)} sent`
  if (allowed === 0) yield* NOTHING_NAMED
  else if (files === 0) yield `Nothing new in ${plural(allowed, 'session')} that may leave.`
  else yield `${verb} ${plural(files, 'file')} of ${plural(sessions, 'session')} (${size}).`
  if (labels > 0) yield `${verb} the names, tags and notes of ${plural(labels, 'thing')}.`
  const kinds = Object.entries(redacted).sort(([, a], [, b]) => b - a)
  if (kinds.length > 0) {
    const total = kinds.reduce((sum, [, count]) => sum + count, 0)
    yield `${isTrial ? 'Would replace' : 'Replaced'} ${plural(total, 'likely secret')}: ${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')}.`
  }
  yield* heldLines(held)
  for (const { place, reason } of heldFiles) yield `Held back: ${place}: ${reason}.`
  yield* deletedLines(report.deleted)
}

/** Sessions that somebody deleted on the hub, or whose time was over. */
export function* deletedLines(deleted: readonly string[]): Generator<string> {
  if (deleted.length > 0) yield `Not pushed: ${plural(deleted.length, 'session')} that the hub deleted.`
}

const NOTHING_NAMED = [
  'No project is named, so nothing leaves this machine.',
  'Name projects by git remote or folder: `dagline config set push github.com/acme ~/code/shop`.',
]

const REASONS: Readonly<Record<HeldProject['reason'], string>> = {
  denied: 'denied by push-deny',
  'not-allowed': 'not named in push',
  'unknown-remote': 'its folder is gone, so that its remote is not known and may be denied',
}

const SHOWN = 8

/** Projects that stay on this machine, the largest first. */
export function* heldLines(held: readonly HeldProject[]): Generator<string> {
  if (held.length === 0) return
  const sessions = held.reduce((sum, each) => sum + each.sessions, 0)
  yield `Held back: ${plural(sessions, 'session')} of ${plural(held.length, 'project')}.`
  for (const { origin, reason, sessions: count, bytes } of held.slice(0, SHOWN)) {
    const [remote] = origin.remotes ?? []
    const name = origin.cwd ?? origin.folder
    yield `  ${name}${remote === undefined ? '' : ` (${remote})`}: ${plural(count, 'session')}, ${sizeOf(bytes)}; ${REASONS[reason]}`
  }
  if (held.length > SHOWN) yield `  and ${held.length - SHOWN} more; list them with --json`
}
