/** `dagline hub status`: what is on the hub, what is waiting, and what is held back and why. */
import { UserError } from '@dagline/app'
import { bytes, plural } from '@dagline/core/format'
import { openPushing, type PushStatus } from '@dagline/hub'
import type { Console } from '../console.js'
import type { HubOptions } from './hub.js'
import { deletedLines, heldFacts, heldLines, hubTarget } from './hub-push.js'

export async function hubStatus(
  console: Console,
  words: readonly string[],
  options: HubOptions,
): Promise<void> {
  if (words.length > 0) throw new UserError(`hub status takes no argument ${words[0]}.`)
  const pushing = openPushing(hubTarget(console, options))
  try {
    const status = await pushing.status()
    if (console.options.json) {
      const { held, heldFiles, waiting, ...rest } = status
      await console.printJson('hub', {
        ...{ action: 'status', ...rest },
        waiting: { files: waiting.files, sessions: waiting.sessions, bytes: waiting.bytes },
        held: { list: held.map(heldFacts) },
        heldFiles: { list: heldFiles.map(({ place, reason }) => ({ path: place, reason })) },
      })
    } else await console.print(statusLines(status))
  } finally {
    await pushing.close()
  }
}

function* statusLines({
  hub,
  machine,
  files,
  sessions,
  bytes: size,
  waiting,
  held,
  heldFiles,
  deleted,
}: PushStatus): Generator<string> {
  yield `Hub ${hub}, machine ${machine}.`
  yield `On the hub: ${plural(files, 'file')} of ${plural(sessions, 'session')}, ${bytes(size)}.`
  if (waiting.files === 0) yield 'Nothing is waiting.'
  else
    yield `Waiting: ${plural(waiting.files, 'file')} of ${plural(waiting.sessions, 'session')}, ${bytes(waiting.bytes)}. Run \`dagline hub push\`.`
  yield* heldLines(held)
  for (const { place, reason } of heldFiles) yield `Held back: ${place}: ${reason}.`
  yield* deletedLines(deleted)
}
