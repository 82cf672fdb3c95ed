/** I9: what a terminal shows of a root that is not indexed yet. */
import { mkdirSync, renameSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type Host, openFaceHistory } from '@dagline/app'
import { expandShape, inProject, type TestHome, withHome } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { ls } from '../src/commands/ls.js'
import type { Console } from '../src/console.js'
import { NO_OPTIONS } from '../src/list.js'
import { styleFor } from '../src/print/style.js'

const SESSIONS = 70

/** Sessions that were written one after another; the newest one goes on with the oldest. */
function sessionsText(): string {
  const names = Array.from({ length: SESSIONS }, (_, nth) => `s${1000 + nth}`)
  const own = names.map((name, nth) => `${name}: u${nth}"Number ${nth}" a${nth}`)
  return [...own.slice(0, -1), `s${1000 + SESSIONS - 1}: u0 a0 u900"Going on" a900`].join('\n')
}

async function onManySessions<T>(use: (home: TestHome) => Promise<T>): Promise<T> {
  return await withHome(inProject(expandShape(sessionsText()).files), async home => {
    for (let nth = 0; nth < SESSIONS; nth++)
      utimesSync(join(home.projects, `-home-dev-proj/s${1000 + nth}.jsonl`), 1000, 1000 + nth)
    return await use(home)
  })
}

/** Runs `ls`, and returns what it printed each time. */
async function list(
  home: TestHome,
  isTerminal: boolean,
  roots: readonly string[] = [home.projects],
): Promise<readonly (readonly string[])[]> {
  const printed: (readonly string[])[] = []
  const quiet = { note: () => {}, progress: () => {}, fail: () => {} }
  const host: Host = { roots, here: null, unread: new Map(), ...quiet }
  const console: Console = {
    ...host,
    options: {
      json: false,
      quiet: false,
      color: 'never',
      root: [],
      everywhere: false,
      hub: null,
      person: null,
      machine: null,
    },
    history: openFaceHistory({ host, index: join(home.dir, `${isTerminal}.db`) }),
    style: styleFor(false),
    width: 100,
    isTerminal,
    print: async lines => {
      printed.push([...lines])
    },
    write: async () => {},
    printJson: async () => {},
    printJsonLines: async () => {},
    page: async make => {
      printed.push([...make()])
    },
  }
  await ls(console, [], { ...NO_OPTIONS, all: true, tag: null, file: null, sort: null })
  return printed
}

function sessionsIn(lines: readonly string[] = []): readonly string[] {
  return lines.flatMap(line => /^ {2}(s\d{4})\b/.exec(line)?.[1] ?? [])
}

it('[I9] `ls` prints the newest sessions first on a terminal, then the others', async () => {
  await onManySessions(async home => {
    const [newest, others, ...more] = await list(home, true)
    expect(more).toEqual([])
    expect(sessionsIn(newest)).toHaveLength(64)
    // The newest one continues the oldest, which was not known yet: it is printed again.
    expect([...sessionsIn(others)].sort()).toEqual([
      's1000',
      's1001',
      's1002',
      's1003',
      's1004',
      's1005',
      's1069',
    ])
    // The second time everything is known.
    expect((await list(home, true)).map(lines => sessionsIn(lines).length)).toEqual([SESSIONS])
  })
})

it('[I9] `ls` prints all sessions in their order into a pipe', async () => {
  await onManySessions(async home => {
    const cold = await list(home, false)
    expect(cold.map(lines => sessionsIn(lines).length)).toEqual([SESSIONS])
    expect(await list(home, false)).toEqual(cold)
  })
})

it('[I9] `ls` prints the newest sessions of all roots first', async () => {
  await onManySessions(async home => {
    const second = join(home.dir, 'second')
    mkdirSync(join(second, '-other'), { recursive: true })
    const isMoved = (nth: number): boolean => nth % 2 === 1
    for (let nth = 0; nth < SESSIONS; nth++) {
      const file = `s${1000 + nth}.jsonl`
      if (isMoved(nth)) renameSync(join(home.projects, '-home-dev-proj', file), join(second, '-other', file))
    }
    const [newest, others] = await list(home, true, [home.projects, second])
    const oldest = ['s1000', 's1001', 's1002', 's1003', 's1004', 's1005']
    expect(sessionsIn(newest)).toHaveLength(64)
    expect([...sessionsIn(others)].sort()).toEqual(oldest)
  })
})
