/** P13: how often the commands that list entries parse each row, counted in the process of the real command. */
import { expandShape, inProject, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { daglineProcess } from './run.js'

/** A rewind, a subagent, a session that continues another, and one that repeats rows of another. */
const SHAPE = `s1: u1"Begin" a1[t1:Task>x] r1[t1>x] a2 u2 a3
s1/x: u9"Look" a9"Seen"
s1: a2 > u3@+30m a4
s2: a4 > u4"Later"@+1h a5
s3: u1 a1 u5"Otherwise"@+2h a6`

/** Counts the rows with a uuid that `JSON.parse` gets, and prints how often each was parsed when the process ends. */
const COUNTER = `
const parse = JSON.parse
const counts = new Map()
JSON.parse = (text, ...rest) => {
  const uuid = /"uuid":"[^"]*"/.exec(text)
  if (uuid !== null) counts.set(text, (counts.get(text) ?? 0) + 1)
  return parse(text, ...rest)
}
process.on('exit', () => process.stderr.write('\\nparsed ' + JSON.stringify([...counts.values()]) + '\\n'))
`

async function parsedBy(...words: string[]): Promise<{ readonly text: string; readonly times: number[] }> {
  const { files, metas } = expandShape(SHAPE)
  return await withHome(inProject([...files, ...metas]), home => {
    const counter = `data:text/javascript,${encodeURIComponent(COUNTER)}`
    const env = { CLAUDE_CONFIG_DIR: home.config, NODE_OPTIONS: `--import=${counter}` }
    const { stdout, stderr } = daglineProcess(words, env)
    return { text: stdout, times: JSON.parse(/^parsed (.*)$/m.exec(stderr)?.[1] ?? '[]') }
  })
}

describe('rows that are listed', () => {
  it.each([
    ['log s1 --graph', 'Begin'],
    ['log s1 --all', 'Seen'],
    ['log s2', 'Later'],
    ['log s2 --live', 'Begin'],
    ['log s3 --live --json', 'Begin'],
    ['log s1 --tree --graph', 'Otherwise'],
    ['tail s1 --once -n 100', 'Begin'],
  ])('[P13] %s parses each of them once', async (line, shown) => {
    const { text, times } = await parsedBy(...line.split(' '))
    expect(text).toContain(shown)
    expect(times.length).toBeGreaterThan(7)
    expect(times.filter(count => count !== 1)).toEqual([])
  })
})
