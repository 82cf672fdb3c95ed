/** `dagline split`: a conversation as two sessions. */
import { planSplit } from '@dagline/core'
import { type Console, Refusal } from '../console.js'
import type { EditReport } from '../print/edit.js'
import { openEditedSession } from '../read/edit.js'
import { carryOut, makeSession, planned, type ReadyEdit, readyEdit, tell } from '../read/edit-run.js'
import { type EditWishes, refuseBusy } from '../read/edit-target.js'
import { openRef } from '../read/ref.js'

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
    reports.push(await carryOut({ ...half, edit }, wishes))
  }
  await tell(console, reports)
}

async function prepare(console: Console, word: string, wishes: SplitOptions): Promise<readonly ReadyEdit[]> {
  const edited = openEditedSession(word, console)
  const { loaded, source, file } = edited
  await refuseBusy(loaded, file, wishes)
  const found = openRef(wishes.at.includes(':') ? wishes.at : `${edited.session}:${wishes.at}`, console)
  const node = source.graph.index(found.loaded.graph.id(found.node))
  if (node < 0)
    throw new Refusal(`${wishes.at} is no entry of ${word}: \`dagline log ${word} --ids\` lists them.`)
  const halves = planned(planSplit(source, file, node, [makeSession(wishes), makeSession(wishes)]))
  const before = source.graph.live(file.facts.path).length
  return halves.map(plan => readyEdit(console, { project: edited, plan, file, before }, wishes))
}
