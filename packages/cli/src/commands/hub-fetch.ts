/** `dagline hub fetch`: files of the hub, as they were pushed. */
import { UserError } from '@dagline/app'
import { bytes, plural } from '@dagline/core/format'
import { type FetchedFile, openPushing } from '@dagline/hub'
import type { Console } from '../console.js'
import type { HubOptions } from './hub.js'
import { hubTarget } from './hub-push.js'

export async function fetchFromHub(
  console: Console,
  words: readonly string[],
  options: HubOptions,
): Promise<void> {
  const { out, session, all } = options
  if (words.length > 0)
    throw new UserError(`hub fetch takes no argument ${words[0]}. Give a session with --session.`)
  if (out === null) throw new UserError('Give a folder for the files: `dagline hub fetch --out FOLDER`.')
  const pushing = openPushing(hubTarget(console, options))
  try {
    const files: FetchedFile[] = []
    for await (const file of pushing.fetch(out, { all, ...(session === null ? {} : { session }) })) {
      files.push(file)
      console.progress(`Fetching file ${files.length}`)
    }
    console.progress(null)
    if (files.length === 0)
      throw new UserError(
        session === null
          ? 'Nothing of yours is on the hub. Push with `dagline hub push`.'
          : `The hub has no session of yours that begins with ${session}. See \`dagline hub status\`.`,
        'no-session',
      )
    if (console.options.json) await console.printJson('hub', fetchFacts(files))
    else await console.print(fetchLines(files, out))
    if (files.some(({ outcome }) => outcome === 'there')) console.fail()
  } finally {
    console.progress(null)
    await pushing.close()
  }
}

function fetchFacts(files: readonly FetchedFile[]) {
  const list = files.map(({ version, target, outcome }) => ({
    ...{ path: target, outcome, session: version.session, machine: version.machine, from: version.place },
    ...{ version: version.number, bytes: version.bytes, placeholders: version.placeholders },
  }))
  return { action: 'fetch', files: { list } } as const
}

function* fetchLines(files: readonly FetchedFile[], out: string): Generator<string> {
  const written = files.filter(({ outcome }) => outcome === 'written')
  const size = written.reduce((sum, { version }) => sum + version.bytes, 0)
  yield `Wrote ${plural(written.length, 'file')} (${bytes(size)}) into ${out}.`
  for (const { target, outcome } of files)
    if (outcome === 'there') yield `Not written, a file of this name is there: ${target}`
  const redacted = written.filter(({ version }) => version.placeholders > 0)
  if (redacted.length === 0) return
  yield `${plural(redacted.length, 'file')} of these are redacted copies: placeholders stand for secrets that never left the machine.`
  for (const { target, version } of redacted)
    yield `  ${target}: ${plural(version.placeholders, 'placeholder')}`
}
