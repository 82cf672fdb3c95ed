import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { parseRows } from '../../test/naive.js'
import { isJson, type Json } from '../base/json.js'
import { type Generated, type GenerateOptions, generate } from './generate.js'
import { STYLE_NAMES } from './styles.js'

/** Runs a check over seeds and styles. */
function forAll(check: (generated: Generated) => void, options: GenerateOptions = {}): void {
  const cases = fc.tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(...STYLE_NAMES))
  fc.assert(
    fc.property(cases, ([seed, style]) => check(generateOnce(seed, { style, actions: 15, ...options }))),
    { numRuns: 150 },
  )
}

/** All tests try the same seeds: each project is generated once. */
const projects = new Map<string, Generated>()

function generateOnce(seed: number, options: GenerateOptions): Generated {
  const key = `${seed} ${JSON.stringify(options)}`
  const generated = projects.get(key) ?? generate(seed, options)
  projects.set(key, generated)
  return generated
}

const parsed = new Map<string, Json[]>()

function nodesOf(text: string): Json[] {
  const nodes = parsed.get(text) ?? parseRows(text).filter(({ uuid }) => typeof uuid === 'string')
  parsed.set(text, nodes)
  return nodes
}

afterAll(() => {
  projects.clear()
  parsed.clear()
})

const allNodes = ({ files }: Generated): Json[] => files.flatMap(({ text }) => nodesOf(text))
const messageOf = ({ message }: Json): Json => (isJson(message) ? message : {})

function blocksOf(row: Json): Json[] {
  const { content } = messageOf(row)
  return Array.isArray(content) ? content.filter(isJson) : []
}

/** Children of each parent named in a file. */
function childrenOf(text: string): Map<string, Set<string>> {
  const children = new Map<string, Set<string>>()
  for (const { parentUuid, uuid } of nodesOf(text)) {
    const key = String(parentUuid)
    children.set(key, (children.get(key) ?? new Set()).add(String(uuid)))
  }
  return children
}

describe('live entries', () => {
  it('are user and assistant rows of their file, each once', () => {
    forAll(({ files, truth }) => {
      for (const { path, text } of files) {
        const types = new Map(nodesOf(text).map(({ uuid, type }) => [uuid, type]))
        const live = truth.live[path] ?? []
        expect(new Set(live).size).toBe(live.length)
        for (const uuid of live) {
          expect(['user', 'assistant', 'human', 'tool_result', 'compact_recap']).toContain(types.get(uuid))
        }
      }
    })
  })

  it('have every result behind its call', () => {
    forAll(generated => {
      const rows = new Map(allNodes(generated).map(row => [String(row.uuid), row]))
      for (const live of Object.values(generated.truth.live)) {
        const called = new Set<unknown>()
        for (const uuid of live) {
          for (const block of blocksOf(rows.get(uuid) ?? {})) {
            if (block.type === 'tool_use') called.add(block.id)
            if (block.type === 'tool_result') expect(called).toContain(block.tool_use_id)
          }
        }
      }
    })
  })
})

describe('forks', () => {
  it('have all their heads under one node of their session', () => {
    forAll(({ files, truth }) => {
      for (const { session, at, heads, liveHead } of truth.branches) {
        const text = files.find(({ path }) => path.endsWith(`/${session}.jsonl`))?.text ?? ''
        const children = childrenOf(text).get(String(at)) ?? new Set()
        expect(heads.length).toBeGreaterThan(1)
        expect(new Set(heads).size).toBe(heads.length)
        expect(heads.filter(head => !children.has(head))).toEqual([])
        if (liveHead !== null) expect(heads).toContain(liveHead)
      }
    })
  })

  it('lead to the live leaf on the side that is called live', () => {
    const weights = { autoCompact: 0, compact: 0, summarizeFrom: 0, summarizeUpTo: 0, kill: 0, lateRow: 0 }
    forAll(
      ({ files, truth }) => {
        for (const { path, text } of files) {
          const session = path.slice(path.lastIndexOf('/') + 1, -'.jsonl'.length)
          const way = wayTo(truth.live[path]?.at(-1), text)
          for (const { heads, liveHead } of truth.branches.filter(branch => branch.session === session)) {
            expect(heads.filter(head => way.has(head))).toEqual(liveHead === null ? [] : [liveHead])
          }
        }
      },
      { weights },
    )
  })

  it('are told from all other nodes with several children', () => {
    forAll(
      ({ files, truth }) => {
        const known = new Set([...truth.notForks, ...truth.branches.map(({ at }) => String(at))])
        const several = files.flatMap(({ text }) =>
          [...childrenOf(text)].flatMap(([uuid, children]) => (children.size > 1 ? [uuid] : [])),
        )
        expect(several.filter(uuid => uuid !== 'null' && !known.has(uuid))).toEqual([])
        const counted = new Set(several)
        expect(truth.notForks.filter(uuid => !counted.has(uuid))).toEqual([])
      },
      { weights: { unwritten: 0 } },
    )
  })

  it('leave out prompts that were taken back or sent again', () => {
    forAll(({ truth }) => {
      const heads = new Set(truth.branches.flatMap(branch => branch.heads))
      expect([...truth.takenBack, ...truth.retried].filter(uuid => heads.has(uuid))).toEqual([])
    })
  })
})

function wayTo(leaf: string | undefined, text: string): Set<string> {
  const parents = new Map(nodesOf(text).map(({ uuid, parentUuid }) => [uuid, parentUuid]))
  const way = new Set<string>()
  for (let at: unknown = leaf; typeof at === 'string' && !way.has(at); at = parents.get(at)) way.add(at)
  return way
}

describe('agents', () => {
  it('were spawned by a call that is in their owner’s file, with their prompt', () => {
    forAll(({ files, truth }) => {
      for (const { toolUse, ownerAgent, path, root, name } of Object.values(truth.agents)) {
        const rows = nodesOf(files.find(file => file.path === path)?.text ?? '')
        const first = rows.find(({ uuid }) => uuid === root)
        expect(first).toBeDefined()
        if (toolUse === null) continue
        const owner = ownerAgent === null ? undefined : truth.agents[ownerAgent]
        const texts = files.filter(file =>
          owner ? file.path === owner.path : !file.path.includes('/agent-'),
        )
        const calls = texts.flatMap(({ text }) => nodesOf(text)).flatMap(blocksOf)
        const input = calls.find(({ id }) => id === toolUse)?.input
        expect(input).toMatchObject({ subagent_type: name, prompt: messageOf(first ?? {}).content })
      }
    })
  })

  it('nest by one level each', () => {
    forAll(({ truth }) => {
      for (const { ownerAgent, depth } of Object.values(truth.agents)) {
        expect(depth).toBe(1 + (ownerAgent === null ? 0 : (truth.agents[ownerAgent]?.depth ?? Number.NaN)))
      }
    })
  })

  it('have their sidecars beside them', () => {
    forAll(({ files, metas }) => {
      const paths = new Set(files.map(({ path }) => path))
      expect(metas.filter(({ path }) => !paths.has(path.replace('.meta.json', '.jsonl')))).toEqual([])
    })
  })
})

describe('the rest of the truth', () => {
  it('maps copies to entries with the same message', () => {
    forAll(generated => {
      const rows = new Map(allNodes(generated).map(row => [String(row.uuid), row]))
      for (const [copy, original] of Object.entries(generated.truth.copies)) {
        const [one, other] = [rows.get(copy), rows.get(original)]
        expect(one).toBeDefined()
        expect(messageOf(one ?? {}).id).toBe(messageOf(other ?? {}).id)
        expect(generated.truth.copies[original]).toBeUndefined()
      }
    })
  })

  it('counts each message once, by its largest output', () => {
    forAll(generated => {
      const outputs = new Map<unknown, number>()
      for (const { id, model, usage } of allNodes(generated).map(messageOf)) {
        if (id === undefined || model === '<synthetic>' || !isJson(usage)) continue
        outputs.set(id, Math.max(outputs.get(id) ?? 0, Number(usage.output_tokens)))
      }
      const output = [...outputs.values()].reduce((sum, count) => sum + count, 0)
      expect(generated.truth.usage).toEqual({ messages: outputs.size, output })
    })
  })

  it('names entries that carry the queued text', () => {
    forAll(generated => {
      const rows = new Map(allNodes(generated).map(row => [String(row.uuid), row]))
      for (const { text, became, node } of generated.truth.queue) {
        const delivered = ['prompt', 'merged', 'attachment', 'notification'].includes(became)
        expect(node !== null).toBe(delivered)
        if (node) expect(JSON.stringify(rows.get(node))).toContain(JSON.stringify(text).slice(1, -1))
      }
      const lost = generated.truth.queue.filter(({ became }) => became === 'lost')
      expect(generated.truth.lostQueue).toEqual(lost.map(({ text }) => text))
    })
  })

  it('counts the chained entries of each file, rows written twice once', () => {
    forAll(({ files, truth }) => {
      const counts = files.map(({ text }) => new Set(nodesOf(text).map(({ uuid }) => uuid)).size)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(truth.entries)
    })
  })
})

describe('damage', () => {
  it('changes rows, and nothing else of the truth', () => {
    forAll(whole => {
      const rows = Object.values(whole.truth.rows)
      expect(rows.every(row => row.rows === row.records && row.blank + row.torn === 0)).toBe(true)
    })
    for (const style of STYLE_NAMES) {
      const { rows: _, ...whole } = generate(9, { style, actions: 20 }).truth
      const { rows: __, ...damaged } = generate(9, { style, actions: 20, damage: true }).truth
      expect(damaged).toEqual(whole)
    }
  })

  it('has its rows counted as they stand in the file', () => {
    forAll(
      ({ files, truth }) => {
        for (const { path, text } of files) {
          const lines = text.split('\n')
          const torn = lines.at(-1) === '' ? 0 : 1
          const { rows, blank, torn: cut } = truth.rows[path] ?? {}
          expect({ rows, blank, torn: cut }).toEqual({
            rows: lines.length - 1 + torn,
            blank: lines.slice(0, -1).filter(line => line === '').length,
            torn,
          })
        }
      },
      { damage: true },
    )
  })

  it('comes in every kind', () => {
    const { files } = generate(4, { style: '2.1.325', actions: 60, damage: true })
    const text = files.map(file => file.text).join('\n')
    expect(text).toContain('\0')
    expect(text).toContain('\uFEFF{')
    expect(text).toContain('\r\n')
    expect(text).toContain('}{"')
    expect(text).toContain('\n\n')
    expect(text).toContain('"type":"future-')
  })
})
