/** Sessions for tests and pictures of the page. */
import { expandShape, generate, inProject, type TextFile } from '@dagline/testkit'

/** Generated projects with branches, subagents, compactions, copies and damage; the same at every call. */
export function someProjects(): TextFile[] {
  return [3, 5, 8, 13, 21].flatMap(seed => {
    const made = generate(seed, {
      actions: 10 + seed,
      project: `-home-dev-project-${seed}`,
      damage: seed === 8,
    })
    return [...made.files, ...made.metas]
  })
}

/** Files of a shape, in a project folder. */
export function shaped(shape: string, project?: string): TextFile[] {
  const { files, metas } = expandShape(shape)
  return inProject([...files, ...metas], project)
}

/** A number of small sessions of two messages that share no entries. */
export function manySessions(count: number, project: string = '-home-dev-many'): TextFile[] {
  const lines = Array.from({ length: count }, (_, index) => {
    const number = 1000 + index
    return `m${number}: u${number}"Question number ${number}"@+${index}m a${number}"Answer number ${number}"`
  })
  return shaped(lines.join('\n'), project)
}

/** A word and a line that are wider than any window. */
export const LONG_WORD: string = 'abcdefghij'.repeat(24)
export const LONG_LINE: string = 'const a = "one" // and '.repeat(14)
/** A white picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg=='

/** Long words and lines in all that has a look of its own. */
export function wideSession(): TextFile[] {
  const rows: object[] = []
  const add = (type: string, fields: object): void => {
    const uuid = `eeeeeeee-0000-4000-8000-${String(rows.length + 1).padStart(12, '0')}`
    const parentUuid =
      rows.length === 0 ? null : `eeeeeeee-0000-4000-8000-${String(rows.length).padStart(12, '0')}`
    const timestamp = new Date(Date.UTC(2026, 0, 1) + rows.length * 1000).toISOString()
    rows.push({
      type,
      uuid,
      parentUuid,
      timestamp,
      sessionId: 'wid1',
      cwd: '/x',
      version: '2.1.300',
      ...fields,
    })
  }
  const call = (
    name: string,
    input: object,
    toolUseResult: object,
    text: string | object[] = LONG_WORD,
  ): void => {
    const id = `t${rows.length}`
    const use = { type: 'tool_use', id, name, input }
    add('assistant', { message: { id: `m${id}`, role: 'assistant', content: [use] } })
    const result = { type: 'tool_result', tool_use_id: id, content: text }
    add('user', { message: { role: 'user', content: [result] }, toolUseResult })
  }
  const list = `- ${LONG_WORD}\n  - ${LONG_WORD}\n\n| a | b |\n|---|---|\n| ${LONG_WORD} | ${LONG_LINE} |`
  add('user', { message: { role: 'user', content: `# ${LONG_WORD}\n${LONG_LINE}\n${list}` } })
  const fence = `\`\`\`ts\n${LONG_LINE}\n\`\`\`\n\`${LONG_WORD}\``
  add('assistant', { message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text: fence }] } })
  call(
    'Bash',
    { command: `echo ${LONG_WORD}\necho done`, description: LONG_WORD },
    { stdout: LONG_WORD, stderr: LONG_LINE },
  )
  const lines = [`-${LONG_LINE}`, `+${LONG_LINE}two`]
  call(
    'Edit',
    { file_path: `/x/${LONG_WORD}.ts` },
    { structuredPatch: [{ oldStart: 1, newStart: 1, lines }] },
  )
  call(
    'mcp__tracker__create',
    { [LONG_WORD]: LONG_WORD, body: `${LONG_LINE}\n${LONG_LINE}` },
    {},
    `{"a":"${LONG_WORD}"}`,
  )
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }
  call('Read', { file_path: '/x/a.png' }, {}, [picture])
  add('attachment', {
    attachment: { type: 'hook_non_blocking_error', hookName: `PostToolUse:${LONG_WORD}`, stderr: LONG_WORD },
  })
  add('system', { subtype: 'informational', content: LONG_WORD, level: 'warning' })
  const queued = { type: 'queue-operation', sessionId: 'wid1', timestamp: '2026-01-01T00:10:00.000Z' }
  const notice = `<task-notification><summary>${LONG_WORD}</summary></task-notification>`
  const lost = [`${LONG_WORD} ${LONG_LINE}`, notice].map(content => ({
    ...queued,
    operation: 'enqueue',
    content,
  }))
  rows.splice(2, 0, ...lost)
  const text = `${rows.map(row => JSON.stringify(row)).join('\n')}\n`
  return [{ path: '-home-dev-wide/wid1.jsonl', text }]
}
