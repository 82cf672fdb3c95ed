/** What could not be read is never written: reads of every command that writes fail, each in a run of its own. */
import { createHash } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../src/program.js'
import {
  andPutBack,
  type Fault,
  hashesBelow,
  inHome,
  named,
  type Outcome,
  runAgain,
  runOnce,
} from './faulty-home.js'
import { settle } from './rested.js'

type Words = readonly string[]

/** Commands that write, with words for the conversation: `REF` is an abandoned prompt, `LIVE` the last one. */
const EDITS: readonly Words[] = [
  ['repair', 's2', '--yes'],
  ['repair', 's2', '--yes', '--in-place'],
  ['repair', 's2', '--yes', '--only', 'dangling-parent'],
  ['checkout', 's1'],
  ['checkout', 'latest'],
  ['checkout', 'REF'],
  ['checkout', 's1#agent-x'],
  ['fork', 'LIVE'],
  ['pick', 'REF', '--onto', 's1'],
  ['trim', 's1', '--outputs', '10', '--progress'],
  ['split', 's1', '--at', 'LIVE'],
]
const MOVE: Words = ['mv', '/home/dev/proj', '/srv/proj', '--yes', '--deep']
const REPAIR: Words = ['repair', 's2', '--yes', '--in-place']
const FORMATS = ['html', 'md', 'json', 'jsonl', 'parquet']
const EXPORTS: readonly Words[] = [
  ...FORMATS.map(format => ['export', 's1', '--branch', 'all', '--format', format, '--out', 'OUT/made']),
  ['export', 's1', '--format', 'md', '--redact', '--out', 'OUT/made'],
  ['export', 's1', '--format', 'jsonl', '--redact', '--out', 'OUT/made'],
  ['export', 's1', '--format', 'md', '--out', '-'],
  ['export', 's1#agent-x', '--format', 'md', '--out', 'OUT/made'],
  ['export', '--project', 'proj', '--format', 'md', '--out', 'OUT/made'],
  ['export', '--tree', 's1', '--format', 'md', '--out', 'OUT/made'],
  ['export', '--project', 'proj', '--tree', '--format', 'html', '--out', 'OUT/made'],
]

const NO_FAULT = { at: 0, kind: 'EIO' } as const

interface Failed {
  readonly at: number
  readonly outcome: Outcome
}

/** Runs a command once for every one of its reads, each time with that one failing, and says what was wrong after it. */
async function failEach(
  home: TestHome,
  words: Words,
  fault: Omit<Fault, 'at'>,
  judge: (failed: Failed) => readonly string[] | Promise<readonly string[]>,
): Promise<readonly string[]> {
  const well = await runOnce(home, words, { at: 0, ...fault })
  if (well.code !== 0) return [`without a fault: ${well.code} ${well.stderr}`]
  const wrong: string[] = []
  for (const at of sample(well.reads, `${words.join(' ')} ${fault.kind} ${fault.of ?? ''}`)) {
    const found = await andPutBack(home, async () => {
      const outcome = await runAgain(home, words, { at, ...fault })
      // What this process remembers of the runs before may save a read.
      return outcome.reads < at ? [] : judge({ at, outcome })
    })
    wrong.push(...found.map(each => `read ${at} of ${well.reads}: ${each}`))
  }
  return wrong
}

/** How many reads of a command fail in turn: all of them with `DAGLINE_RUNS=1000`. */
const MOST_READS = Number(process.env['DAGLINE_RUNS'] ?? 8)
const SEED = process.env['DAGLINE_SEED'] ?? '1'

/** Numbers from 1 to `count`: all where they are few, else some that the seed chooses. */
function sample(count: number, name: string): readonly number[] {
  const all = Array.from({ length: count }, (_, at) => at + 1)
  const rank = (at: number): string => createHash('sha256').update(`${SEED} ${name} ${at}`).digest('hex')
  return all
    .map(at => ({ at, rank: rank(at) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, MOST_READS)
    .map(({ at }) => at)
    .sort((a, b) => a - b)
}

/** A refusal: exit code 1, a sentence, every file of the root as it was, and nothing written. */
function refused(home: TestHome): (failed: Failed) => readonly string[] {
  const before = JSON.stringify(hashesBelow(home.projects))
  return ({ outcome: { code, stderr, root, out } }) => [
    ...(code === 1 && isSentence(stderr) ? [] : [`exit ${code}, ${stderr}`]),
    ...(JSON.stringify(root) === before ? [] : ['the root changed']),
    ...(out.length === 0 ? [] : [`${out} was left`]),
  ]
}

const isSentence = (stderr: string): boolean =>
  /could not be read|was cut|\(EIO\)/.test(stderr) && !stderr.includes('internal error')

describe('a read that fails', { timeout: 240_000 }, () => {
  it.each([...EDITS, MOVE])('[E12] prevents the edit: %s %s %s %s', async (...given) => {
    await inHome(async home => {
      const words = named(home, given)
      for (const kind of ['EIO', 'cut'])
        expect(await failEach(home, words, { kind }, refused(home))).toEqual([])
    })
  })

  it.each(EDITS)(
    '[E12] prevents the edit when the status of a file cannot be read: %s %s %s %s',
    async (...given) => {
      await inHome(async home => {
        const words = named(home, given)
        expect(await failEach(home, words, { kind: 'EIO', of: 'stats' }, refused(home))).toEqual([])
      })
    },
  )

  it.each(EXPORTS)('[E12] prevents the export: %s %s %s %s %s %s', async (...given) => {
    await inHome(async home => {
      for (const kind of ['EIO', 'cut'])
        expect(await failEach(home, given, { kind }, refused(home))).toEqual([])
    })
  })

  it.each([
    REPAIR,
    ['fork', 's2', '--dry-run'],
    ['trim', 's2', '--outputs', '10'],
    ['export', 's2', '--format', 'jsonl', '--out', 'OUT/made'],
  ])('[E12] in the middle of a long transcript keeps all of its rows: %s %s %s', async (...words) => {
    await inHome(async home => {
      lengthen(join(home.projects, '-home-dev-proj', 's2.jsonl'))
      expect(await failEach(home, words, { kind: 'EIO' }, refused(home))).toEqual([])
    })
  })

  it('[E12] [M5] may interrupt a move: the same command continues it, and undo restores every byte', async () => {
    await inHome(async home => {
      const before = hashesBelow(home.projects)
      const after = (await runOnce(home, MOVE, NO_FAULT)).root
      const judge = async ({ outcome: { code, stderr, root } }: Failed): Promise<readonly string[]> => {
        const isUntouched = JSON.stringify(root) === JSON.stringify(before)
        const saysHow = isUntouched || /run the same command again, which goes on from here/.test(stderr)
        const again = await runAgain(home, MOVE, NO_FAULT)
        // A move that took two commands is two edits.
        const half = isUntouched ? null : await runAgain(home, ['undo'], NO_FAULT)
        const undone = await runAgain(home, ['undo'], NO_FAULT)
        return [
          ...(half === null || half.code === 0 ? [] : [`undo: ${half.stderr}`]),
          ...(code === 1 && isSentence(stderr) && saysHow ? [] : [`exit ${code}, ${stderr}`]),
          ...(JSON.stringify(again.root) === JSON.stringify(after) ? [] : [`again: ${again.stderr}`]),
          ...(JSON.stringify(undone.root) === JSON.stringify(before) ? [] : [`undo: ${undone.stderr}`]),
        ]
      }
      expect(await failEach(home, MOVE, { kind: 'EIO', of: 'stats' }, judge)).toEqual([])
    })
  })

  it.each([REPAIR, MOVE, ['checkout', 's1'], ['split', 's1', '--at', 'LIVE']])(
    '[E10] [E12] stops an undo, and the next one gives every byte back: %s %s %s',
    async (...given) => {
      await inHome(async home => {
        const before = hashesBelow(home.projects)
        await runAgain(home, named(home, given), NO_FAULT)
        const judge = async ({ outcome: { code, stderr } }: Failed): Promise<readonly string[]> => {
          const again = await runAgain(home, ['undo'], NO_FAULT)
          return [
            ...(code === 1 && isSentence(stderr) ? [] : [`exit ${code}, ${stderr}`]),
            ...(JSON.stringify(again.root) === JSON.stringify(before) ? [] : [`again: ${again.stderr}`]),
          ]
        }
        for (const kind of ['EIO', 'cut'])
          expect(await failEach(home, ['undo'], { kind, below: home.config }, judge)).toEqual([])
      })
    },
  )

  it.each([['s1'], ['s1', '--out', 'OUT'], ['s1', '--versions', '--out', 'OUT']])(
    '[K8] [E12] is said by restore, which writes over nothing: %s %s %s',
    async (...given) => {
      await inHome(async home => {
        const before = hashesBelow(home.projects)
        await runAgain(home, ['archive'], NO_FAULT)
        rmSync(join(home.projects, '-home-dev-proj', 's1.jsonl'))
        const judge = ({ outcome: { code, stderr, root } }: Failed): readonly string[] => [
          ...(code === 1 && (isSentence(stderr) || /differs/.test(stderr))
            ? []
            : [`exit ${code}, ${stderr}`]),
          ...Object.entries(root).flatMap(([path, hash]) => (hash === before[path] ? [] : [path])),
        ]
        for (const kind of ['EIO', 'cut'])
          expect(await failEach(home, ['restore', ...given], { kind, below: home.config }, judge)).toEqual([])
      })
    },
  )

  it('[K5] [K6] is reported by archive, or the file is read again and archived completely', async () => {
    await inHome(async home => {
      const before = Object.values(hashesBelow(home.projects)).sort()
      expect(await failEach(home, ['archive'], { kind: 'EIO' }, refused(home))).toEqual([])
      const judge = async ({ outcome: { code, stderr } }: Failed): Promise<readonly string[]> => {
        for (const session of ['s1', 's2'])
          await runAgain(home, ['restore', session, '--out', 'OUT'], NO_FAULT)
        const kept = Object.values(hashesBelow(join(home.dir, 'out'))).sort()
        return code === 0 && JSON.stringify(kept) === JSON.stringify(before)
          ? []
          : [`exit ${code}, ${stderr}`]
      }
      expect(await failEach(home, ['archive'], { kind: 'cut' }, judge)).toEqual([])
    })
  })

  it.each([
    ['name', 's1', 'mine'],
    ['tag', 'LIVE', 'money'],
    ['note', 'latest', 'a text'],
  ])('[N4] loses no name, and names nothing else: %s %s', async (...given) => {
    await inHome(async home => {
      const words = named(home, given)
      await runAgain(home, ['tag', 's2', 'kept'], NO_FAULT)
      const well = labelled(await runOnce(home, ['tag', '--json'], NO_FAULT))
      const judge = async ({ outcome: { code, stderr } }: Failed): Promise<readonly string[]> => {
        const tags = labelled(await runAgain(home, ['tag', '--json'], NO_FAULT))
        return [
          ...(isSentence(stderr) && (code === 1 || code === 0) ? [] : [`exit ${code}, ${stderr}`]),
          ...(given[1] === 'latest' && code === 0 ? ['the latest session is not known'] : []),
          ...well.filter(tag => !tags.includes(tag)).map(tag => `${tag} is lost`),
        ]
      }
      for (const kind of ['EIO', 'cut'])
        expect(await failEach(home, words, { kind, below: home.config }, judge)).toEqual([])
    })
  })

  it('[E12] is tried with every command that writes', async () => {
    // What the hub keeps of transcripts that cannot be read is tested in packages/hub/test.
    const reading = ['doctor', 'history', 'mcp', 'hub']
    const { commands } = await createProgram()
    const writing = commands.filter(command => /^(?:Repair|Keep)/.test(command.helpGroup() ?? ''))
    const tried = [
      ...EDITS,
      ...EXPORTS,
      MOVE,
      ...['undo', 'archive', 'restore', 'name', 'tag', 'note'].map(word => [word]),
    ]
    expect(
      writing
        .map(command => command.name())
        .filter(name => !reading.includes(name))
        .sort(),
    ).toEqual([...new Set(tried.map(([name]) => name))].sort())
  })
})

function labelled(ran: Outcome): readonly string[] {
  return [...ran.stdout.matchAll(/"tag": ?"([^"]+)"/g)].map(([, tag = '']) => tag)
}

/** Gives a transcript rows of a further megabyte and a half: it takes several reads. */
function lengthen(path: string): void {
  const row = `${JSON.stringify({ type: 'mode', mode: 'a word '.repeat(15_000) })}\n`
  appendFileSync(path, row.repeat(15))
  settle(path)
}
