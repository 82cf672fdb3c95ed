/** `tail` as a process: rows are written while it runs, and its output is read. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expandShape, until, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { BUNDLE, block, cleanEnv, dagline, json, onRecorded } from './run.js'

/** A session that is written piece by piece, and what `tail` says to it. */
interface Stage {
  readonly path: (file: string) => string
  /** Writes the rows of some tokens. */
  readonly write: (...tokens: string[]) => void
  readonly append: (file: string, text: string) => void
  /** Waits until the output has this, and gives all of it. */
  readonly until: (text: string) => Promise<string>
  readonly output: () => string
  /** Interrupts it, and gives its exit code. */
  readonly end: () => Promise<number | null>
}

const PROJECT = '-home-dev-proj'

/** Runs `tail` on a shape of which the first tokens are there. */
async function onStage(
  shape: string,
  first: readonly string[],
  words: readonly string[],
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const rows = rowsByToken(shape)
  await withHome([], async home => {
    const path = (file: string): string => join(home.projects, PROJECT, file)
    const append = (file: string, text: string): void => {
      if (text === '') return
      mkdirSync(dirname(path(file)), { recursive: true })
      appendFileSync(path(file), text)
    }
    const write = (...tokens: string[]): void => {
      let waiting = { path: '', text: '' }
      for (const token of tokens) {
        const { path: file, text } = rows.get(token) ?? { path: '', text: `no row ${token}` }
        // Rows of one file are written at once, so that no look falls between them.
        if (file !== waiting.path) append(waiting.path, waiting.text)
        waiting = { path: file, text: `${file === waiting.path ? waiting.text : ''}${text}\n` }
      }
      append(waiting.path, waiting.text)
    }
    write(...first)
    const env = cleanEnv({ CLAUDE_CONFIG_DIR: home.config })
    const child = spawn(process.execPath, [BUNDLE, 'tail', ...words], { env })
    const said = { text: '' }
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (said.text += String(data)))
    try {
      await play({ path, write, append, ...asking(child, said) })
    } finally {
      child.kill('SIGKILL')
    }
  })
}

function asking(
  child: ChildProcess,
  said: { readonly text: string },
): Pick<Stage, 'until' | 'output' | 'end'> {
  return {
    output: () => said.text,
    until: async text => {
      return await until(
        () => said.text,
        all => all.includes(text),
        20,
      )
    },
    end: async () => {
      child.kill('SIGINT')
      const [code] = await once(child, 'exit')
      return code
    },
  }
}

/** The rows of a shape by their tokens; sidecars as `x.meta`. */
function rowsByToken(shape: string): ReadonlyMap<string, { readonly path: string; readonly text: string }> {
  const { files, metas, tokens } = expandShape(shape)
  const rows = files.flatMap(({ path, text }) =>
    text
      .trimEnd()
      .split('\n')
      .map(row => [tokens.get(JSON.parse(row).uuid) ?? row, { path, text: row }] as const),
  )
  const sidecars = metas.map(
    ({ path, text }) => [`${/agent-(.+)\.meta/.exec(path)?.[1]}.meta`, { path, text }] as const,
  )
  return new Map([...rows, ...sidecars])
}

/** How often a text occurs in another. */
function times(text: string, part: string): number {
  return text.split(part).length - 1
}

const TALK = `
  s1: u1"Fix the parser" a1"I will." a2[t1:Task>x]
  s1/x: meta {"agentType":"Explore"}
  s1/x: u2"Look around" a3[t3:Bash]
  s1/x: a3 > r3[t3] a4"Two tokens are slow."
  s1: a2 > r1[t1>x] a5"It is fixed."
  s1: a5 > u6"Now the lexer" a6"Done so."
  s1: a5 > u7"Now the printer"@+10m a7"Printing."
  s1: a7 > c1 k1"All is fixed." u8"Thanks" a8"You are welcome."
`

describe('tail', () => {
  it('[L5] [A6] [F12] [C3] follows a session with an agent, a rewind and a compaction, each entry once', async () => {
    await onStage(TALK, ['u1'], ['s1'], async ({ write, until, end, output }) => {
      await until('Following')
      write('a1', 'a2')
      await until('Task general-purpose')
      write('x.meta', 'u2')
      await until('Look around')
      write('a3', 'r3', 'a4')
      await until('Two tokens')
      write('r1', 'a5', 'u6', 'a6')
      await until('Done so.')
      write('u7', 'a7')
      await until('Printing.')
      write('c1', 'k1', 'u8', 'a8')
      await until('You are welcome.')
      expect(await end()).toBe(0)
      expect(block(output())).toMatchInlineSnapshot(`
        "
        s1  Fix the parser
        2026-01-01
        10:00  Human   Fix the parser
        Following; press Ctrl-C to stop.
        10:00  Claude  I will.
        10:00  Claude  Task general-purpose: task t1
        10:00    ▸ Explore starts
        10:00    Claude → Explore  Look around
        10:00    Explore  Bash run t3
        10:00    Explore · Tool  result r3
        10:00    Explore  Two tokens are slow.
        10:00  Tool    result r1
        10:00    ■ Explore ends: 4 entries, 3 s
        10:00  Claude  It is fixed.
        10:00  Human   Now the lexer
        10:00  Claude  Done so.
        10:10  ↩ rewind: new branch @00000000; abandons 2 messages in @00000000
        10:10  Human   Now the printer
        10:10  Claude  Printing.
        10:10  ── Conversation compacted (100k -> 4k tokens, manual) ──────────────────────────────────────────────
        10:10  System  All is fixed.
        10:10  Human   Thanks
        10:10  Claude  You are welcome.
        "
      `)
    })
  })

  it('[F12] reports a rewind before its first answer is written', async () => {
    await onStage(TALK, ['u1', 'a1', 'a2', 'u2', 'a4', 'r1', 'a5', 'u6', 'a6'], ['-n', '2'], async stage => {
      await stage.until('Following')
      stage.write('u7')
      await stage.until('Now the printer')
      stage.write('a7')
      await stage.until('Printing.')
      expect(block(stage.output())).toMatchInlineSnapshot(`
        "
        s1  Fix the parser
        2026-01-01
        10:00  Human   Now the lexer
        10:00  Claude  Done so.
        Following; press Ctrl-C to stop.
        10:10  ↩ rewind: new branch @00000000; abandons 2 messages in @00000000
        10:10  Human   Now the printer
        10:10  Claude  Printing.
        "
      `)
    })
  })

  it('[P5] waits for the rest of a torn row', async () => {
    const shape = 's1: u1"Hello" a1"It is all there."'
    const text = rowsByToken(shape).get('a1')?.text ?? ''
    await onStage(shape, ['u1'], [], async ({ append, until, output }) => {
      await until('Following')
      append('s1.jsonl', text.slice(0, 100))
      await setTimeout(400)
      expect(output()).not.toContain('Claude')
      append('s1.jsonl', text.slice(100))
      await setTimeout(400)
      expect(output()).not.toContain('Claude')
      append('s1.jsonl', '\n')
      expect(times(await until('It is all there.'), 'It is all there.')).toBe(1)
    })
  })

  it('[L5] reads a truncated or replaced file again, and prints nothing twice', async () => {
    const shape = 's1: u1"One" a1"Two" u2"Three" a2"Four"'
    await onStage(shape, ['u1', 'a1'], [], async ({ path, write, until, output }) => {
      await until('Following')
      const whole = rowsByToken(shape)
      truncateSync(path('s1.jsonl'), 20)
      await until('was truncated')
      rmSync(path('s1.jsonl'))
      writeFileSync(path('s1.jsonl'), ['u1', 'a1', 'u2'].map(token => `${whole.get(token)?.text}\n`).join(''))
      await until('Three')
      write('a2')
      await until('Four')
      for (const said of ['  One', '  Two', '  Three', '  Four'])
        expect(times(output(), `Human ${said}`) + times(output(), `Claude${said}`)).toBe(1)
    })
  })

  it('[Q1] [Q3] reports what was queued, and what was lost', async () => {
    const shape = 's1: u1"Work" a1[t1] r1[t1] a2"Done." u3"Something else" a3"Well."'
    const queue = (operation: string, content: string): string =>
      `${JSON.stringify({ type: 'queue-operation', operation, sessionId: 's1', timestamp: '2026-01-01T10:00:01Z', content })}\n`
    await onStage(shape, ['u1', 'a1'], [], async ({ append, write, until }) => {
      await until('Following')
      append('s1.jsonl', queue('enqueue', 'And the docs'))
      await until('⋯ queued: And the docs')
      write('r1', 'a2', 'u3', 'a3')
      await until('✗ queued, never sent: And the docs')
    })
  })

  it('[A4] finds subagents beside the session, as older versions wrote them', async () => {
    const shape = 's1: u1 a1[t1:Task>x] / s1+x: ~u2"Look" ~a2"Seen." / s1: a1 > r1[t1>x] a3"All."'
    await onStage(shape, ['u1', 'a1'], [], async ({ write, until }) => {
      await until('Following')
      write('u2', 'a2')
      await until('Seen.')
      write('r1', 'a3')
      const text = await until('All.')
      expect(text).toContain('general-purpose starts')
      expect(text).toContain('general-purpose ends: 2 entries, 1 s')
    })
  })

  it('[L5] --json prints one object for each new row', async () => {
    await onStage(TALK, ['u1'], ['--json'], async ({ write, until, output }) => {
      await until('"text":"Fix the parser"')
      await setTimeout(300)
      write('a1', 'a2', 'x.meta', 'u2', 'a3', 'r3', 'a4', 'r1', 'a5', 'u6', 'a6')
      await until('Done so.')
      write('u7', 'a7', 'c1', 'k1')
      await until('All is fixed.')
      const rows = output()
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
      expect(rows.every(row => row.dagline === 1 && row.session === 's1')).toBe(true)
      const events = rows.filter(row => row.event !== undefined).map(row => row.event)
      expect(events).toEqual(['agent-start', 'agent-end', 'rewind', 'compaction'])
      const told = rows.filter(row => row.event === undefined).map(row => row.text)
      expect(new Set(told).size).toBe(told.length)
      expect(rows.find(row => row.text === 'Two tokens are slow.')).toMatchObject({
        actor: 'Explore',
        agent: 'x',
        depth: 1,
        kind: 'text',
        line: 's1#agent-x',
      })
    })
  })

  it('--once prints what is there, and exits', () => {
    const ran = onRecorded('tail', 'a2a9607f', '--once', '-n', '2')
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
    expect(block(ran.stdout)).toMatchInlineSnapshot(`
      "
      a2a9607f-5536-4fe0-bc51-987050a2a441  one #A#
      2026-11-15
      01:05  Human   five #E#
      01:05  Claude  Answer E.
      "
    `)
    const rows = onRecorded('tail', '--once', '-n', '3', '--json').stdout.trimEnd().split('\n')
    expect(rows.map(row => JSON.parse(row).text)).toHaveLength(3)
    expect(onRecorded('tail', '--once', '-n', '0').stdout.trimEnd().split('\n')).toHaveLength(1)
  })

  it('rejects an invalid number or session', () => {
    expect(onRecorded('tail', '-n', 'many').stderr).toBe(
      'dagline: --limit many is not valid. Give a whole number of 0 or more.\n',
    )
    expect(dagline(['tail']).stderr).toContain('No transcripts in')
    expect(json(onRecorded('log', 'latest', '--json')).dagline).toBe(1)
  })
})
