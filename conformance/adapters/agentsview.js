/**
 * agentsview: its database, which its page is drawn from. A message of the database stands for several entries: the
 * parts of one answer, and the results of its calls. The transcript says which.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readTranscript } from '../lib/transcript.js'
import { adapt, findProgram, listTranscripts, NotInstalled, run, withCopy } from './adapter.js'

const program = () => findProgram('agentsview', 'AGENTSVIEW', 'Run pip install agentsview')

adapt({
  version: () => `agentsview ${/[\d.]+/.exec(run(program(), ['--version']))?.[0]}`,
  read: root =>
    withCopy(root, async folder => {
      const projects = join(folder, 'projects')
      const data = join(folder, 'data')
      run(program(), ['sync'], {
        HOME: folder,
        AGENTSVIEW_TELEMETRY_ENABLED: '0',
        AGENTSVIEW_NO_DAEMON: '1',
        AGENTSVIEW_DATA_DIR: data,
        CLAUDE_PROJECTS_DIR: projects,
      })
      const name = readdirSync(data).find(each => each.endsWith('.db'))
      if (name === undefined || !existsSync(join(data, name))) throw new Error('agentsview wrote no database')
      return readDatabase(await openDatabase(join(data, name)), projects)
    }),
})

async function openDatabase(path) {
  try {
    const { DatabaseSync } = await import('node:sqlite')
    return new DatabaseSync(path, { readOnly: true })
  } catch {
    throw new NotInstalled('The database of agentsview needs node:sqlite. Run this with Node 22.13 or newer.')
  }
}

function readDatabase(db, projects) {
  const all = sql => db.prepare(sql).all()
  const tables = {
    sessions: all('SELECT id, file_path, parent_session_id, ended_at FROM sessions'),
    messages: all(
      'SELECT id, session_id, source_uuid, claude_message_id, has_thinking FROM messages ORDER BY ordinal',
    ),
    calls: all('SELECT message_id, tool_use_id, result_content_length, subagent_session_id FROM tool_calls'),
  }
  db.close()
  const paths = listTranscripts(projects)
  const fileOf = new Map(tables.sessions.map(({ id, file_path: path }) => [id, relativeTo(projects, path)]))
  return {
    sessions: paths.map(file => answerOf(file, join(projects, file), tables, fileOf)),
    subagents: tables.calls.flatMap(({ tool_use_id: call, subagent_session_id: session }) =>
      fileOf.has(session) ? [{ file: fileOf.get(session), call }] : [],
    ),
  }
}

function relativeTo(projects, path) {
  return path.slice(projects.length + 1).replaceAll('\\', '/')
}

/** Of the sessions that it makes of one file, the newest and those that it hangs on are taken for live. */
function answerOf(file, path, { sessions, messages, calls }, fileOf) {
  const entries = [...readTranscript(path)]
  const own = sessions.filter(({ id }) => fileOf.get(id) === file)
  const live = new Set()
  const byTime = own.toSorted((a, b) => (a.ended_at ?? '').localeCompare(b.ended_at ?? ''))
  for (let next = byTime.at(-1); next !== undefined && !live.has(next.id); ) {
    live.add(next.id)
    next = own.find(({ id }) => id === next.parent_session_id)
  }
  const shownIn = isWanted =>
    messages
      .filter(({ session_id: id }) => fileOf.get(id) === file && isWanted(id))
      .flatMap(message => entriesOf(message, entries, calls))
  const inOrder = list => entries.map(([uuid]) => uuid).filter(uuid => list.has(uuid))
  return {
    file,
    live: inOrder(new Set(shownIn(id => live.has(id)))),
    abandoned: inOrder(new Set(shownIn(id => !live.has(id)))),
  }
}

/** The entries that a message of the database stands for. */
function entriesOf(message, entries, calls) {
  const own = calls.filter(({ message_id: id }) => id === message.id)
  const made = new Set(own.map(({ tool_use_id: id }) => id))
  const answered = new Set(
    own.filter(call => call.result_content_length > 0).map(({ tool_use_id: id }) => id),
  )
  return entries
    .filter(([uuid, entry]) => {
      if (uuid === message.source_uuid) return true
      // A result without text, such as a reference to a tool, shows nothing, and is not lost.
      if (entry.results.length > 0)
        return entry.results.every(id => (entry.text === '' ? made : answered).has(id))
      if (entry.message === null || entry.message !== message.claude_message_id) return false
      return entry.calls.length > 0 ? entry.calls.every(id => made.has(id)) : true
    })
    .map(([uuid]) => uuid)
}
