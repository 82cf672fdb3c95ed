import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lostIn } from './checks.js'
import { graphOfCase, seedCases, tellGraph } from './seed-cases.js'
import { everything, graphInParts, graphOfFiles } from './support.js'

const cases = seedCases()
const spec = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'SPEC.md'), 'utf8')

describe('shapes that public descriptions name', () => {
  it.each(cases.map(each => [each.rule, each.name, each.title, each] as const))(
    '[%s] %s: %s',
    (...[, , , each]) => {
      const graph = graphOfCase(each)
      expect(tellGraph(graph).join('\n')).toBe(each.expected.join('\n'))
      expect(lostIn(graph)).toEqual([])
    },
  )

  it.each(cases.map(each => [each.name, each] as const))(
    '[L5] [G8] %s: in parts and in any order',
    (_, each) => {
      const whole = everything(graphOfCase(each))
      expect(everything(graphOfFiles([...each.files].reverse(), each.metas))).toEqual(whole)
      for (const cut of [0.3, 0.5, 0.8])
        expect(everything(graphInParts(each.files, each.metas, [cut]))).toEqual(whole)
    },
  )

  it('are sixty, each named after a rule', () => {
    expect(cases).toHaveLength(60)
    expect(cases.filter(({ rule }) => !spec.includes(`- **${rule}**`)).map(({ name }) => name)).toEqual([])
  })
})
