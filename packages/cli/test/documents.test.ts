/**
 * The commands of all documents: each runs on the samples, and what a document shows of their output is what they print.
 * `npx vitest run packages/cli/test/documents.test.ts -u` renews the shown output. What is neither run here nor made by
 * `scripts/check-docs.ts` is listed with the test that runs it, or the reason why nothing can.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createProgram } from '../src/program.js'
import {
  ALONE,
  atTheirTime,
  failuresOf,
  IN_REPOSITORY,
  inHome,
  isEndless,
  parse,
  type Run,
  wordsAfter,
} from './examples.js'
import { REPOSITORY } from './run.js'

/** Decisions are left out: they name what was decided then. */
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/*.md',
  'examples/README.md',
  'plugin/README.md',
  'plugin/skills/*/SKILL.md',
  'conformance/*.md',
  'packages/*/README.md',
  '.github/ISSUE_TEMPLATE/*.yml',
]
  .flatMap(pattern => globSync(pattern, { cwd: REPOSITORY }))
  .map(path => path.replaceAll('\\', '/'))
  .sort()

type Listed = readonly (readonly [start: string, why: string])[]

/** Lines that are not for dagline, or that cannot run here: how they begin, and what tests them instead. */
const LINES: Listed = [
  ['npm ci && npm start', 'test/newcomer.test.ts'],
  ['npm ci && npm test', 'it is what runs this test'],
  ['npm install', 'test/packages.test.ts installs the packed files'],
  ['source <(dagline completion bash)', 'packages/cli/test/completion.test.ts'],
  ['claude plugin', 'lab/checks/plugin.ts: it needs Claude Code'],
  ['claude mcp add', 'lab/checks/plugin.ts and packages/mcp/test: it needs Claude Code'],
  ['npm ', 'names a script of package.json, which is tested below'],
  ['DAGLINE_LAB_CLI=', 'it needs Claude Code'],
  ['node conformance/score.js', 'conformance/score.test.ts'],
  ['npx node examples/run.ts costs', 'tested below'],
  ['npx dagline ...', 'it stands for all commands'],
  ['apt-get install postgresql', 'scripts/postgres.ts does so where there is none'],
  ['su ', 'packages/hub/test has databases and servers of its own'],
  ['adduser ', 'it changes the system'],
  [
    'export AWS_',
    'variables for the line below them, which packages/app/test tries with a bucket of its own',
  ],
]

/** Blocks that are not for a shell: how they begin, and what tests them. */
const BLOCKS: Listed = [
  ['s1: u1 a1', 'the notation of tests: packages/testkit'],
  ['{ "statusLine"', 'settings of Claude Code: lab/checks and packages/cli/test/statusline.test.ts'],
  ['{\n  "reader"', 'the contract that conformance/score.js checks'],
  ['[Unit]', 'a unit for systemd, which tests do not have'],
  ['name: Transcripts', 'a workflow for GitHub: packages/cli/test/doctor-ci.test.ts runs its command'],
  ["import { buildGraph, fileId, parseTranscript, sessionId } from '@dagline/core'", 'test/packages.test.ts'],
  ["import { openHistory } from 'dagline'", 'test/packages.test.ts'],
  [' core  ◄──  store', 'a drawing'],
  [' store/files ', 'a drawing'],
  [' discover ──►', 'a drawing'],
  [' index ──►', 'a drawing'],
  [' client  ', 'a drawing'],
  ['SELECT project, month, model', 'packages/app/test/engines.test.ts asks every engine for these sums'],
]

/** Words that stand for what a user has: what they are in the samples. */
const MEANT: Readonly<Record<string, string>> = {
  SESSION: '019c5be1',
  ID: '019c5be1',
  REF: 'd5b5d498',
  BRANCH: '019c5be1@07e8e1e4',
  'A B': '019c5be1@07e8e1e4 019c5be1',
  WORDS: 'round',
  WORD: 'round',
  FILE: 'src/total.ts',
  NAME: 'tax-rewrite',
  'OLD NEW': '/home/dev/shop /home/dev/store',
  QUERY: "'SELECT count(*) FROM sessions'",
  KIND: 'orphan',
  TOPIC: 'refs',
}

interface Block {
  readonly language: string
  readonly text: string
  /** Made by `scripts/check-docs.ts`, which compares it with its source. */
  readonly isGenerated: boolean
}

/** What was listed above and found. */
const used = new Set<string>()

/** Names of all commands. */
const NAMES = new Set(['help', '--version', ...(await createProgram()).commands.map(each => each.name())])
/** Help prints and ends: it is not parsed as other commands are. */
const NO_COMMAND = /^dagline help\b/

describe.each(DOCUMENTS)('%s', { timeout: 120_000 }, path => {
  atTheirTime()
  const text = readFileSync(join(REPOSITORY, path), 'utf8')
  const blocks = blocksOf(text)
  const lines = blocks
    .filter(isShell)
    .flatMap(block => block.text.split('\n').flatMap(line => commandIn(line, block)))

  it('has commands that run', async () => {
    const reading = lines.filter(line => !ALONE.has(nameOf(line)) && !isEndless(line))
    if (reading.length > 0)
      await inHome(false, async run => {
        linkRepository()
        expect(await failuresOf(reading, run)).toEqual([])
      })
    for (const line of lines.filter(each => ALONE.has(nameOf(each))))
      await inHome(IN_REPOSITORY.has(nameOf(line)), async run =>
        expect(await failuresOf([line], run)).toEqual([]),
      )
  })

  it('has words that commands accept', async () => {
    const inline = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`((?:npx )?dagline [^`]+)`/g)]
    const given = inline.map(([, words = '']) => words.replace(/\s+/g, ' ').replace(/^npx /, ''))
    const isName = (line: string): boolean => line.split(' ').length === 2
    expect(given.filter(line => isName(line) && !NAMES.has(nameOf(line)))).toEqual([])
    const calls = given.map(inlineCommand).filter(line => !isName(line) && !NO_COMMAND.test(line))
    for (const line of [...calls, ...lines.filter(isEndless)])
      expect({ line, is: await parse(wordsAfter(line)) }).toEqual({ line, is: 'accepted' })
  })

  it('shows what commands print', async () => {
    let shown = text
    for (const block of blocks.filter(({ language, isGenerated }) => language === 'console' && !isGenerated))
      await inHome(false, async run => {
        linkRepository()
        shown = shown.replace(block.text, () => '\0')
        shown = shown.replace('\0', await printed(block.text, run))
      })
    await expect(shown).toMatchFileSnapshot(join(REPOSITORY, path))
  })

  it('has no other block that nobody runs', () => {
    const others = blocks.filter(({ isGenerated, language }) => !isGenerated && language !== 'console')
    const unknown = others
      .filter(block => !isListed(BLOCKS, block.text))
      .flatMap(block =>
        isShell(block)
          ? block.text.split('\n').filter(line => line.trim() !== '' && !isKnown(line, block))
          : [block.text],
      )
    expect(unknown).toEqual([])
  })
})

describe('what documents name', () => {
  it('are scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))
    const named = DOCUMENTS.flatMap(path =>
      [...readFileSync(join(REPOSITORY, path), 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(
        ([, name]) => name,
      ),
    )
    expect(named.filter(name => scripts[name ?? ''] === undefined)).toEqual([])
  })

  it('is a runner that prints what a program of the examples returns', () => {
    const words = ['examples/run.ts', 'costs']
    const printed = execFileSync(process.execPath, words, { cwd: REPOSITORY, encoding: 'utf8' })
    expect(printed).toBe(readFileSync(join(REPOSITORY, 'examples/costs.txt'), 'utf8'))
  })

  afterAll(() => {
    const listed = [...LINES, ...BLOCKS].map(([start]) => start)
    expect(listed.filter(start => !used.has(start))).toEqual([])
  })
})

function isShell({ language }: Block): boolean {
  return language === '' || language === 'text' || language === 'sh'
}

function blocksOf(text: string): readonly Block[] {
  const generated = [...text.matchAll(/<!-- generated: [\w:.-]+ -->[\s\S]*?<!-- \/generated -->/g)]
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(
    ({ 1: language = '', 2: body = '', index }) => ({
      language,
      text: body.replace(/\n$/, ''),
      isGenerated: generated.some(part => part.index < index && index < part.index + part[0].length),
    }),
  )
}

/** `dagline ls      lists sessions`: the command of a line. Examples of help, which begin with a dollar, are run by another test. */
function commandIn(line: string, { isGenerated }: Block): readonly string[] {
  const [, command = ''] = /^\s*(?:npx )?(dagline(?: .*)?)$/.exec(line) ?? []
  if (command === '' || isListed(LINES, line)) return []
  const [words = ''] = command.split(/\s{2,}/)
  return isGenerated && !line.startsWith('  ') ? [] : [meant(words)]
}

function meant(words: string): string {
  return Object.entries(MEANT).reduce(
    (line, [word, value]) => line.replace(new RegExp(`(?<![\\w@-])${word}(?![\\w-])`, 'g'), () => value),
    words,
  )
}

function nameOf(line: string): string {
  return line.split(' ')[1] ?? ''
}

function isKnown(line: string, block: Block): boolean {
  return isListed(LINES, line) || commandIn(line, block).length > 0
}

/** Whether a line or block begins as one of a list does. */
function isListed(list: Listed, text: string): boolean {
  const found = list.find(([start]) => text.startsWith(start))
  if (found !== undefined) used.add(found[0])
  return found !== undefined
}

/** Commands in a sentence: `FILE[:LINE]` is a file, what else may be left out is. */
function inlineCommand(line: string): string {
  return meant(line.replace(/\s?\[[^\]]*\]/g, '').replace(/ \.\.\.$/, ''))
}

/** A block of commands with dollars, with what they print now. Lines without one are old output. */
async function printed(text: string, run: Run): Promise<string> {
  const shown: string[] = []
  for (const line of text.split('\n').filter(each => each.startsWith('$ '))) {
    const { stdout, stderr, code } = await run(line.replace(/^\$ (?:npx )?/, ''))
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' })
    shown.push(line, ...stdout.trimEnd().split('\n'))
  }
  return shown.map(line => line.trimEnd()).join('\n')
}

/** Documents name files of the repository. */
function linkRepository(): void {
  for (const name of ['fixtures', 'examples']) symlinkSync(join(REPOSITORY, name), name)
}
