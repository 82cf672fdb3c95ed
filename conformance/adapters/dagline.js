/** dagline: `dagline graph --json`. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { adapt, NotInstalled, run } from './adapter.js'

const PACKAGE = new URL('../../packages/cli/', import.meta.url)
const COMMAND = fileURLToPath(new URL('bin/dagline.js', PACKAGE))
const BUNDLE = fileURLToPath(new URL('dist/dagline.js', PACKAGE))

adapt({
  version: () => `dagline ${JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8')).version}`,
  read: root => {
    if (!existsSync(BUNDLE)) throw new NotInstalled('dagline is not built in this checkout. Run npm ci.')
    const graph = JSON.parse(run(process.execPath, [COMMAND, 'graph', '--json', '--quiet', root]))
    return {
      sessions: graph.files.map(file => sessionOf(file, graph)),
      subagents: graph.agents.map(({ file, spawnedBy }) => ({ file, call: spawnedBy?.toolUse ?? null })),
    }
  },
})

/** Lines of subagents without a file of their own (1.x) stand in the transcript of the session. */
function sessionOf({ path, session, agent }, { files, lines, folded, live }) {
  const isApart = id => files.some(file => file.agent === id)
  const own = lines.filter(
    line => line.session === session && (line.agent === agent || (agent === null && !isApart(line.agent))),
  )
  const nodesOf = isWanted => own.filter(isWanted).flatMap(({ nodes }) => nodes)
  return {
    file: path,
    live: live[path] ?? [],
    abandoned: nodesOf(({ status }) => status === 'abandoned'),
    others: [...nodesOf(({ status }) => status !== 'abandoned'), ...folded.map(({ node }) => node)],
  }
}
