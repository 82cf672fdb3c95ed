import { existsSync } from 'node:fs'
import { openHistory } from 'dagline'

/** Makes a session of an abandoned branch: first the plan alone, then the file, in another projects root. */
export async function run(folder: string, out: string): Promise<string[]> {
  const history = openHistory({ roots: [folder] })
  const { graph } = await history.graphOf(folder)
  const branch = graph.lines().find(({ status }) => status === 'abandoned')
  if (branch === undefined) return ['no branch was abandoned']
  const options = { out, title: 'The decimal library' }
  const { plan } = await history.edit.checkout(branch.id, { ...options, dryRun: true })
  const written = await history.edit.checkout(branch.id, options)
  const lines = [
    `planned: ${plan.rows.file.length} rows, ${plan.promise.length} entries will be live`,
    `written: ${existsSync(written.path)}, ${written.live.length} entries are live in it`,
    `a resume loaded ${written.reach.before} entries, and loads ${written.reach.after} now`,
  ]
  // The source was not touched; this removes the new file.
  await history.edit.undo(written.number)
  return [...lines, `taken back: ${!existsSync(written.path)}`]
}
