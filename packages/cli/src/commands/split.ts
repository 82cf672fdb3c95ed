/** `dagline split`: a conversation as two sessions. */
import {
  carryOut,
  type EditedSession,
  type EditReport,
  type EditWishes,
  inStore,
  makeSession,
  namedBy,
  openEditedSession,
  openRef,
  planned,
  type ReadyEdit,
  readyEdit,
  refuseBusy,
  UserError,
} from '@dagline/app'
import { planSplit } from '@dagline/core/edit'
import { undoEdit } from '@dagline/store'
import type { Console } from '../console.js'
import { printReports } from '../print/edit.js'

/** What the command was told. */
export interface SplitOptions extends EditWishes {
  readonly at: string
}

/** Makes two sessions of one, cut before the turn of an entry. */
export async function split(console: Console, word: string, wishes: SplitOptions): Promise<void> {
  const reports: EditReport[] = []
  for (const half of await prepare(console, word, wishes)) {
    const first = reports[0]?.number ?? null
    // One `undo` takes both back.
    const edit = first === null ? half.edit : { ...half.edit, with: first }
    reports.push(await bothOrNone(first, () => carryOut(console, { ...half, edit }, wishes)))
  }
  await printReports(console, reports)
}

/** Where the second half cannot be written, the first does not stay either. */
async function bothOrNone(first: number | null, work: () => Promise<EditReport>): Promise<EditReport> {
  try {
    return await work()
  } catch (error) {
    if (first !== null) await inStore(() => undoEdit(first, Date.now()))
    throw error
  }
}

async function prepare(console: Console, word: string, wishes: SplitOptions): Promise<readonly ReadyEdit[]> {
  const edited = openEditedSession(word, console)
  const { loaded, source, file } = edited
  await refuseBusy(loaded, file, wishes)
  const node = cutAt(edited, wishes.at, console)
  const halves = planned(planSplit(source, file, node, [makeSession(wishes), makeSession(wishes)]))
  const before = source.graph.live(file.facts.path).length
  return halves.map(plan => readyEdit(console, { project: edited, plan, file, before }, wishes))
}

/** The entry that a reference names, in the graph that is edited: by a name, or within the session. */
function cutAt({ session, source: { graph } }: EditedSession, at: string, console: Console): number {
  const isOwn = namedBy(at, console) !== null || /[:@#]/.test(at)
  const found = openRef(isOwn ? at : `${session}:${at}`, console)
  const node = graph.index(found.loaded.graph.id(found.node))
  if (node >= 0) return node
  throw new UserError(`${at} is no entry of ${session}: \`dagline log ${session} --ids\` lists them.`)
}
