/** The Agent SDK: `getSessionMessages`, `listSubagents` and `getSubagentMessages`. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { adapt, agentIdOf, listTranscripts, NotInstalled, withCopy } from './adapter.js'

const PACKAGE = '@anthropic-ai/claude-agent-sdk'
const folder = [process.env.CLAUDE_AGENT_SDK, join('node_modules', PACKAGE)].find(
  path => path !== undefined && existsSync(join(path, 'package.json')),
)

adapt({
  version: () => {
    if (folder === undefined)
      throw new NotInstalled(
        `${PACKAGE} is not installed. Run npm install in a folder of its own, and set CLAUDE_AGENT_SDK.`,
      )
    return `Agent SDK ${JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version}`
  },
  read: root => withCopy(root, readAll),
})

async function readAll(config) {
  process.env.CLAUDE_CONFIG_DIR = config
  const sdk = await import(pathToFileURL(join(folder, 'sdk.mjs')).href)
  const paths = listTranscripts(join(config, 'projects'))
  const parts = []
  for (const path of paths.filter(path => agentIdOf(path) === null))
    parts.push(await readSession(sdk, paths, path))
  return {
    sessions: parts.flatMap(({ sessions }) => sessions),
    subagents: parts.flatMap(({ subagents }) => subagents),
  }
}

async function readSession(sdk, paths, path) {
  const session = basename(path, '.jsonl')
  const messages = await sdk.getSessionMessages(session, {})
  const sessions = [{ file: path, live: uuidsOf(messages) }]
  const subagents = []
  for (const agent of await sdk.listSubagents(session, {})) {
    const file = paths.find(each => each.includes(`/${session}/`) && agentIdOf(each) === agent)
    if (file === undefined) continue
    const own = await sdk.getSubagentMessages(session, agent, {})
    sessions.push({ file, live: uuidsOf(own) })
    subagents.push({ file, call: own[0]?.parent_tool_use_id ?? null })
  }
  return { sessions, subagents }
}

function uuidsOf(messages) {
  return messages.filter(({ type }) => type !== 'system').map(({ uuid }) => uuid)
}
