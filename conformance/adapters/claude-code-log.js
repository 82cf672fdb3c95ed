/**
 * claude-code-log: its JSON at the greatest depth. It shows branches side by side and does not say which of them counts:
 * it is granted the newest one at each fork, and for a session that continues another what both files have.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readTranscript } from '../lib/transcript.js'
import { adapt, agentIdOf, findProgram, listTranscripts, run, withCopy } from './adapter.js'

const program = () => findProgram('claude-code-log', 'CLAUDE_CODE_LOG', 'Run pip install claude-code-log')

adapt({
  version: () => `claude-code-log ${/[\d.]+/.exec(run(program(), ['--version']))?.[0]}`,
  read: root =>
    withCopy(root, folder => {
      const projects = join(folder, 'projects')
      const parts = readdirSync(projects).map(project => readProject(folder, project))
      return {
        sessions: parts.flatMap(({ sessions }) => sessions),
        subagents: parts.flatMap(({ subagents }) => subagents),
      }
    }),
})

function readProject(folder, project) {
  const out = join(folder, 'out.json')
  const from = join(folder, 'projects', project)
  const options = ['--depth', 'hook', '--format', 'json', '--no-cache', '-o', out]
  run(program(), [from, ...options], { HOME: folder })
  const { messages, sessions } = JSON.parse(
    existsSync(out) ? readFileSync(out, 'utf8') : '{"messages":[],"sessions":[]}',
  )
  const shown = messages.flatMap(message => flatten(message, null))
  const paths = listTranscripts(join(folder, 'projects')).filter(path => path.startsWith(`${project}/`))
  return {
    sessions: paths.map(file =>
      answerOf(file, readTranscript(join(folder, 'projects', file)), shown, sessions),
    ),
    subagents: paths.flatMap(file => {
      const agent = agentIdOf(file)
      return agent === null ? [] : [{ file, call: callOf(agent, shown) }]
    }),
  }
}

/** Messages in the order of the page, each with the one that it stands below. */
function flatten({ children = [], ...message }, above) {
  // A message of a branch keeps the id of its session; where it is drawn says the branch.
  const line = message.session_id?.includes('#agent-')
    ? message.session_id
    : (message.render_session_id ?? message.session_id)
  const own = { ...message, line, above }
  return [own, ...children.flatMap(child => flatten(child, own))]
}

function answerOf(file, entries, shown, sessions) {
  const agent = agentIdOf(file)
  if (agent !== null) return { file, live: agentLive(agent, shown, entries) }
  const id = basename(file, '.jsonl')
  const lines = new Set(liveLines(id, shown, sessions))
  const own = shown.filter(({ line, is_sidechain: isInside }) => !isInside && isOf(id, line))
  const live = own.filter(({ line }) => lines.has(line))
  const rest = own.filter(({ line }) => !lines.has(line))
  return {
    file,
    live: [...inherited(id, entries, shown, sessions), ...uuids(live)],
    abandoned: uuids(rest),
    others: uuids(shown),
  }
}

/** It folds the prompt of a subagent into the call and the last answer into the result, where they say the same. */
function agentLive(agent, shown, entries) {
  const live = uuids(shown.filter(message => isOfAgent(message, agent)))
  const call = callOf(agent, shown)
  const around = shown.filter(
    ({ content }) => call !== null && [content?.tool_use_id, content?.id].includes(call),
  )
  const told = around.map(({ content }) => JSON.stringify(content)).join()
  const isFolded = ({ text }) => text !== '' && told.includes(JSON.stringify(text).slice(1, -1))
  const own = [...entries].filter(([uuid]) => !live.includes(uuid))
  const folded = own.filter(([, entry]) => /user|assistant/.test(entry.type) && isFolded(entry))
  const isFirst = ([, { type }]) => type === 'user'
  return [
    ...folded.filter(isFirst),
    ...live.map(uuid => [uuid]),
    ...folded.filter(each => !isFirst(each)),
  ].map(([uuid]) => uuid)
}

function isOf(id, line) {
  return line === id || line?.startsWith(`${id}@`)
}

function isOfAgent({ line, agent_id: id, is_sidechain: isInside }, agent) {
  return line?.endsWith(`#agent-${agent}`) || (isInside === true && id === agent)
}

/** A session and the newest of its branches at each fork. */
function liveLines(id, shown, sessions) {
  const newest = line => shown.filter(message => message.line === line).at(-1)?.timestamp ?? ''
  const branches = sessions.filter(session => session.is_branch === true && isOf(id, session.id))
  const under = line => branches.filter(({ parent_session_id: parent }) => parent === line)
  const latest = line => [newest(line), ...under(line).map(branch => latest(branch.id))].sort().at(-1) ?? ''
  const lines = [id]
  for (const line of lines) {
    const choices = under(line).sort((a, b) => latest(a.id).localeCompare(latest(b.id)))
    const forks = new Map(choices.map(branch => [branch.parent_message_index, branch.id]))
    lines.push(...forks.values())
  }
  return lines
}

/** What a session continues, where its header names another session: the messages of that one which its file repeats. */
function inherited(id, entries, shown, sessions) {
  const parent = sessions.find(session => session.id === id)?.parent_session_id
  if (!parent || isOf(id, parent)) return []
  return uuids(shown.filter(({ uuid, line }) => !isOf(id, line) && entries.has(uuid)))
}

/** The call whose result a subagent's messages stand below, or which names it. */
function callOf(agent, shown) {
  const inside = shown.find(message => isOfAgent(message, agent))
  const named = shown.find(message => message.agent_id === agent && message.type === 'tool_result')
  return named?.content?.tool_use_id ?? inside?.above?.content?.tool_use_id ?? null
}

function uuids(messages) {
  return [...new Set(messages.map(({ uuid }) => uuid).filter(uuid => typeof uuid === 'string'))]
}
