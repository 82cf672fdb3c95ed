/** Hold: secrets of every kind, in every place, in every encoding, exported in every format: none survives. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { type TestHome, withHome } from '@dagline/testkit'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ORDINARY } from '../../core/test/redact-ordinary.js'
import { exportSessions } from '../src/export/export.js'
import { FORMATS, type Format } from '../src/export/options.js'
import { silentHost } from '../src/host/host.js'
import { plantedSession } from './redact-places.js'
import { isLong, kinds, type Planted, places, plantsFor, survivors } from './redact-planted.js'

async function exported(
  home: TestHome,
  format: Format,
  tree: boolean,
): Promise<{ readonly text: string; readonly kinds: readonly string[] }> {
  const out = join(home.dir, `out-${format}-${tree}`)
  const exporter = { host: silentHost([home.projects]), approve: async () => {}, print: async () => {} }
  const options = {
    format,
    out,
    project: null,
    tree,
    branch: 'all',
    depth: 9,
    tools: true,
    redact: ['secrets'],
    names: [],
    allowSecrets: false,
    force: false,
  } as const
  const report = await exportSessions(exporter, '5ec0', options)
  expect(report.redacted?.left).toEqual([])
  return { text: await textOf(out, format), kinds: report.redacted?.replaced.map(({ kind }) => kind) ?? [] }
}

async function textOf(path: string, format: Format): Promise<string> {
  if (format === 'parquet') {
    const rows = await Promise.all(
      readdirSync(path).map(
        async name => await parquetReadObjects({ file: await asyncBufferFromFile(join(path, name)) }),
      ),
    )
    return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
  }
  const text = readFileSync(path, 'utf8')
  if (format !== 'html') return text
  const packed = [...text.matchAll(/<script type="text\/plain"[^>]*>([A-Za-z0-9+/=]*)<\/script>/g)]
  return [
    text,
    ...packed.map(([, data = '']) => inflateRawSync(Buffer.from(data, 'base64')).toString('utf8')),
  ].join('\n')
}

describe('a redacted export', () => {
  const before = process.env['XDG_DATA_HOME']
  beforeEach(() => {
    delete process.env['XDG_DATA_HOME']
  })
  afterEach(() => {
    if (before === undefined) delete process.env['XDG_DATA_HOME']
    else process.env['XDG_DATA_HOME'] = before
  })

  it('knows at least 120 kinds in at least 27 places', () => {
    expect(kinds.length).toBeGreaterThanOrEqual(120)
    expect(places.length).toBeGreaterThanOrEqual(27)
  })

  const outputs: readonly (readonly [Format, boolean])[] = [
    ...FORMATS.map((format): readonly [Format, boolean] => [format, false]),
    ['html', true],
    ['md', true],
  ]

  async function expectNone(plants: readonly Planted[], written: typeof outputs): Promise<void> {
    await withHome(plantedSession(plants), async home => {
      process.env['XDG_DATA_HOME'] = join(home.dir, 'data')
      for (const [format, tree] of written) {
        const { text, kinds: replaced } = await exported(home, format, tree)
        expect({ format, tree, left: survivors(text, plants) }).toEqual({ format, tree, left: [] })
        expect(replaced).not.toContain('text-left-out')
        expect(text).toContain('[redacted:')
      }
      expect(statSync(join(home.dir, 'data', 'dagline', 'redaction.key')).mode & 0o077).toBe(0)
    })
  }

  it('[R1] no secret of any kind survives in any place', async () => {
    await expectNone(plantsFor(false), isLong ? outputs : outputs.slice(0, 3))
  }, 600_000)

  it('[R2] no encoded secret of any kind survives', async () => {
    await expectNone(plantsFor(true), outputs)
  }, 600_000)

  it('[R1] no secret survives in any format', async () => {
    await expectNone(
      plantsFor(false).filter((_, at) => at % 4 === 0),
      outputs.slice(3),
    )
  }, 600_000)

  it('[R2] a password over a line break is replaced in every format, and the export is not refused', async () => {
    const text = '{"user":"maria","password":"correct-Hors\\ne-41-battery"}'
    const plants = places.map(place => ({ text, place }))
    await withHome(
      plantedSession([...plants, { text: JSON.stringify(text), place: 'a result' }]),
      async home => {
        process.env['XDG_DATA_HOME'] = join(home.dir, 'data')
        for (const [format, tree] of outputs)
          expect((await exported(home, format, tree)).text).not.toMatch(/correct-Hors|e-41-battery/)
      },
    )
  })

  it('[R3] two exports have the same placeholders, in whatever order their secrets are', async () => {
    const plants = plantsFor(false).filter((_, at) => at % 60 === 0)
    const marksOf = async (home: TestHome): Promise<ReadonlySet<string>> =>
      new Set((await exported(home, 'jsonl', false)).text.match(/\[redacted:[^\]]+\]/g))
    await withHome([], async ({ dir }) => {
      process.env['XDG_DATA_HOME'] = dir
      const first = await withHome(plantedSession(plants), marksOf)
      expect(await withHome(plantedSession(plants.toReversed()), marksOf)).toEqual(first)
    })
  })

  it('[R1] 500 ordinary lines stay: at most 5 are changed', async () => {
    const rows = ORDINARY.map(text => ({ text, place: 'a result' }))
    await withHome(plantedSession(rows), async home => {
      process.env['XDG_DATA_HOME'] = join(home.dir, 'data')
      const { text } = await exported(home, 'jsonl', false)
      const lost = ORDINARY.filter(line => !text.includes(JSON.stringify(line).slice(1, -1)))
      expect(lost.length, lost.join('\n')).toBeLessThanOrEqual(5)
    })
  })
})
