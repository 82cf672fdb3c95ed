#!/usr/bin/env node
/**
 * Scores a reader of transcripts: `node conformance/score.js --reader 'CMD {project}'`. README.md has the contract.
 * Plain JavaScript for Node 20 or newer, without dependencies.
 */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { NOT_INSTALLED } from './adapters/adapter.js'
import { listRecordings, readTruth } from './lib/recordings.js'
import { noCounts, scoreRecording, sumOf } from './lib/score.js'

const HERE = import.meta.dirname ?? new URL('.', import.meta.url).pathname
const RESULTS = join(HERE, 'results.json')

const HELP = `Usage: node conformance/score.js --reader 'CMD {project}' [options]

Runs CMD for each recording and compares its answer with what was sent. {project} is a folder of projects, as
~/.claude/projects is one. README.md has the contract.

  --reader CMD        the reader; a name of adapters/ (dagline, agent-sdk, claude-code-log, agentsview, flat) will do
  --recordings DIR    further recordings; may be repeated
  --only TEXT         only recordings whose name contains TEXT, such as s13 or 2.1.325; may be repeated
  --jobs N            how many run at once
  --json              print the scores as JSON
  --write             store the scores in results.json, from which docs/CONFORMANCE.md is made

Exit codes: 0 every session is right, 1 some are not, 2 the reader failed, 69 it is not installed.
`

const { values } = parseArgs({
  options: {
    reader: { type: 'string' },
    recordings: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: String(availableParallelism()) },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help || values.reader === undefined) {
  process.stdout.write(HELP)
  process.exitCode = values.help ? 0 : 1
} else {
  process.exitCode = await main(commandOf(values.reader))
}

/** An adapter by its name, or the command as it is. */
function commandOf(reader) {
  if (!/^[\w-]+$/.test(reader)) return reader
  return `"${process.execPath}" "${join(HERE, 'adapters', `${reader}.js`)}" {project}`
}

async function main(command) {
  const own = ['recordings', 'conformance'].map(name => join(HERE, '..', 'fixtures', name))
  const folders = [...own, ...values.recordings]
  const recordings = listRecordings(folders).filter(
    ({ name }) => values.only.length === 0 || values.only.some(text => name.includes(text)),
  )
  const scored = await scoreAll(command, recordings)
  const failed = scored.find(({ failure }) => failure !== undefined)
  if (failed !== undefined) {
    process.stderr.write(`${failed.name}: ${failed.failure.message}\n`)
    return failed.failure.code
  }
  const result = resultOf(scored)
  if (values.write) store(result)
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`)
  else print(result, scored)
  return result.all.strict === result.all.sessions && result.all.atCall === result.all.subagents ? 0 : 1
}

/** The first one alone: where the reader is not installed, nothing else is tried. */
async function scoreAll(command, [first, ...rest]) {
  if (first === undefined) return []
  const score = recording => scoreOne(command, recording)
  const scored = [await score(first)]
  if (scored[0].failure === undefined) scored.push(...(await inParallel(rest, Number(values.jobs), score)))
  return scored
}

async function inParallel(items, jobs, work) {
  const results = []
  const queue = [...items.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker))
  return results
}

async function scoreOne(command, recording) {
  const { code, stdout, stderr } = await ask(command, join(recording.dir, 'projects'))
  if (code !== 0) return { ...recording, failure: failureOf(code, stderr) }
  const answer = parseAnswer(stdout)
  if (answer === null)
    return { ...recording, failure: { code: 2, message: 'The answer does not keep the contract.' } }
  const truth = readTruth(recording)
  const hasOthers = answer.sessions.some(
    ({ abandoned, others }) => abandoned !== undefined || others !== undefined,
  )
  return { ...recording, reader: answer.reader ?? 'reader', hasOthers, ...scoreRecording(truth, answer) }
}

function failureOf(code, stderr) {
  const lines = stderr.trim().split('\n')
  // Node and others print more behind the error.
  const said = lines.findLast(line => /^\w*(Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? ''
  return code === NOT_INSTALLED
    ? { code, message: `skipped: ${said}` }
    : { code: 2, message: `the reader ended with exit code ${code}. ${said}` }
}

function ask(command, project) {
  return new Promise(resolve => {
    const child = spawn(command.replaceAll('{project}', `"${project}"`), { shell: true })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text
    })
    child.on('close', code => resolve({ code, stdout, stderr }))
  })
}

function parseAnswer(text) {
  try {
    const answer = JSON.parse(text)
    const isList = list => Array.isArray(list) && list.every(item => typeof item === 'string')
    const isSession = ({ file, live, abandoned = [], others = [] }) =>
      typeof file === 'string' && [live, abandoned, others].every(isList)
    return Array.isArray(answer.sessions) && answer.sessions.every(isSession) ? answer : null
  } catch {
    return null
  }
}

/** The scores of a reader: of all recordings, by release and by shape. */
function resultOf(scored) {
  const by = key => {
    const groups = {}
    for (const each of scored) groups[each[key]] = sumOf([groups[each[key]] ?? noCounts(), each.counts])
    return groups
  }
  return {
    reader: scored[0]?.reader ?? 'reader',
    recordings: scored.length,
    hasOthers: scored.some(({ hasOthers }) => hasOthers),
    all: sumOf(scored.map(({ counts }) => counts)),
    releases: by('release'),
    shapes: by('shape'),
  }
}

/** A reader has one result: that of its newest run. */
function store(result) {
  const nameOf = ({ reader }) => reader.replace(/ [\d.]+.*$/, '')
  const others = JSON.parse(readFileSync(RESULTS, 'utf8')).filter(other => nameOf(other) !== nameOf(result))
  writeFileSync(RESULTS, `${JSON.stringify([...others, result], null, 2)}\n`)
}

function print({ reader, recordings, hasOthers, all }, scored) {
  for (const { name, problems } of scored)
    for (const problem of problems) process.stdout.write(`${name}: ${problem}\n`)
  const lines = [
    `${reader}: ${recordings} recordings, ${all.sessions} sessions`,
    `  right, strict                 ${all.strict}`,
    `  right, lenient                ${all.lenient}`,
    `  in order                      ${all.ordered}`,
    `  live entries missing          ${all.missing} of ${all.entries}`,
    `  abandoned shown as live       ${all.shownAbandoned} of ${all.abandoned}`,
    `  subagents at their call       ${all.atCall} of ${all.subagents}`,
    `  entries lost                  ${hasOthers ? `${all.lost} of ${all.rows}` : 'not said: it gives the live conversation only'}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
