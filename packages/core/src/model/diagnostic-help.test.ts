import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DIAGNOSTIC_HELP, helpFor } from './diagnostic-help.js'

/** The rules of the specification: `- \`dag/orphan\` warning ...`. */
function specifiedRules(): readonly string[] {
  const spec = readFileSync(new URL('../../../../docs/SPEC.md', import.meta.url), 'utf8')
  const diagnostics = spec.slice(spec.indexOf('\n## Diagnostics'), spec.indexOf('\n## Later'))
  return [...diagnostics.matchAll(/^- `([a-z]+\/[a-z0-9-]+)`/gm)].map(([, rule]) => rule ?? '')
}

describe('help for diagnostics', () => {
  it('is there for every rule of the specification, and for no other', () => {
    expect(specifiedRules().length).toBeGreaterThan(25)
    expect(Object.keys(DIAGNOSTIC_HELP).sort()).toEqual([...specifiedRules()].sort())
  })

  it('speaks in whole sentences', () => {
    for (const [rule, { title, meaning, advice }] of Object.entries(DIAGNOSTIC_HELP)) {
      expect(meaning, rule).toMatch(/^[A-Z].*\.$/)
      expect(advice ?? 'None.', rule).toMatch(/^[A-Z].*\.$/)
      expect(title, rule).toMatch(/^[A-Z].*[^.]$/)
    }
  })

  it('names a rule that it does not know, whatever it is called', () => {
    expect(helpFor('dag/new-one').title).toBe('dag/new-one')
    expect(helpFor('constructor').title).toBe('constructor')
  })
})
