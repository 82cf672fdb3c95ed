/**
 * V7: sessions of the page are opened in processes of their own, so that none keeps the server from answering, however large
 * it is: one for what is shown, and one for contexts, which take long. They keep graphs and sheets from question to question.
 */
import { UserError } from '../host/user-error.js'
import { openArchivedFiles } from '../index/archive.js'
import type { LiveSource } from '../live/context.js'
import { openContext } from '../live/open.js'
import { bundledCommand } from '../workers/entry.js'
import { createLane } from '../workers/lane.js'
import type { Channel } from '../workers/protocol.js'
import { createSessionPages, type SessionPages } from './sessions.js'

/** What sessions are read from. */
interface Served {
  /** The index file. */
  readonly index: string
  readonly roots: readonly string[]
  readonly isSample: boolean
}

type PageName = keyof SessionPages

/** A question. */
export interface PageInput extends Served {
  /** How often the index has changed: what was read from an earlier state is read again. */
  readonly state: number
  readonly name: PageName
  readonly given: readonly unknown[]
}

/** Answers about sessions from other processes, and what is to be told them. */
export interface SessionWorkers {
  /** `look` is called where there is no index to read. */
  readonly pages: (look: () => void) => SessionPages
  /** The index has changed. */
  readonly refresh: () => void
  readonly close: () => void
}

const endedEarly = (): UserError =>
  new UserError('The process that reads sessions ended. Try again.', 'unavailable')

/**
 * Answers from workers, which start with the first question; null while sources run as they are. `note` receives the message
 * about an index that was damaged.
 */
export function createSessionWorkers(served: Served, note: (message: string) => void): SessionWorkers | null {
  if (bundledCommand() === null) return null
  const tell = (message: unknown): void => note(message as DamageMessage)
  const [shown, contexts] = [
    createLane('sessions', endedEarly, tell),
    createLane('sessions', endedEarly, tell),
  ]
  let state = 0
  const pagesOf = (look: () => void): SessionPages => {
    const ask =
      <N extends PageName>(name: N, lane = shown) =>
      async (...given: Parameters<SessionPages[N]>): Promise<Awaited<ReturnType<SessionPages[N]>>> =>
        // The worker answers what was asked: `answerPage` is the other end.
        (await lookAgain(lane.run({ ...served, state, name, given }), look)) as Awaited<
          ReturnType<SessionPages[N]>
        >
    return {
      sessionJson: ask('sessionJson'),
      sessionSince: ask('sessionSince'),
      contents: ask('contents'),
      entry: ask('entry'),
      explain: ask('explain'),
      raw: ask('raw'),
      text: ask('text'),
      image: ask('image'),
      now: ask('now'),
      compare: ask('compare'),
      comparable: ask('comparable'),
      contexts: ask('contexts', contexts),
      context: ask('context', contexts),
      prefetch: ask('prefetch'),
    }
  }
  return {
    pages: pagesOf,
    refresh: () => {
      state++
    },
    close: () => {
      shown.close()
      contexts.close()
    },
  }
}

/** I15: a worker may have set a damaged index aside: then the index has to be made again. */
export async function lookAgain<T>(answer: Promise<T>, look: () => void): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof UserError && error.code === 'not-ready') look()
    throw error
  }
}

/** I15: what the worker posts where it set a damaged index aside: the line about it. */
type DamageMessage = string

interface OpenedPages {
  readonly index: string
  readonly source: LiveSource
  readonly pages: SessionPages
  state: number
  /** Receives the message about a damaged index: the channel of the last question. */
  channel: Pick<Channel, 'post'>
}

/** What this worker has open. */
let opened: OpenedPages | null = null

/** The task of a worker: answers a question. Graphs stay for the next one. */
export async function answerPage(input: PageInput, channel: Pick<Channel, 'post'>): Promise<unknown> {
  if (opened?.index !== input.index) opened = openPages(input, channel)
  opened.channel = channel
  if (opened.state !== input.state) opened.source.refresh()
  opened.state = input.state
  const answer: (...given: never[]) => Promise<unknown> = opened.pages[input.name]
  return await answer(...(input.given as never[]))
}

function openPages(input: PageInput, channel: Pick<Channel, 'post'>): OpenedPages {
  const { index, roots, isSample, state } = input
  const elsewhere = openArchivedFiles(roots).at
  const source = openContext(
    {
      ...{ index, roots, isSample, elsewhere },
      noteDamage: message => pages.channel.post(message satisfies DamageMessage),
    },
    () => {},
  )
  const pages: OpenedPages = {
    index,
    source,
    pages: createSessionPages(source.context),
    state,
    channel,
  }
  return pages
}
