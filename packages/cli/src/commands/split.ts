/** `dagline split`: a conversation as two sessions. */
import { planSplit } from '@dagline/core'
import { type Console, Refusal } from '../console.js'
import { openEditedSession } from '../read/edit.js'
import { carryOut, makeSession, planned, tell } from '../read/edit-run.js'
import { type EditWishes, refuseBusy } from '../read/edit-target.js'
import { openRef } from '../read/ref.js'

/** Makes two sessions of one, cut before the turn of an entry. */
export async function split(
  console: Console,
  word: string,
  wishes: EditWishes & { readonly at: string },
): Promise<void> {
  const edited = openEditedSession(word, console)
  const { loaded, source, file } = edited
  await refuseBusy(loaded, file, wishes)
  const found = openRef(wishes.at.includes(':') ? wishes.at : `${edited.session}:${wishes.at}`, console)
  const node = source.graph.index(found.loaded.graph.id(found.node))
  if (node < 0)
    throw new Refusal(`${wishes.at} is no entry of ${word}: \`dagline log ${word} --json\` lists them.`)
  const halves = planned(planSplit(source, file, node, [makeSession(wishes), makeSession(wishes)]))
  const before = source.graph.live(file.facts.path).length
  const reports = halves.map(plan => carryOut(console, { project: edited, plan, file, before }, wishes))
  await tell(console, reports)
}
