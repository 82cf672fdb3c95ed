import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DIAGNOSTIC_ADVICE, DIAGNOSTIC_TITLES, diagnosticAdvice, diagnosticTitle } from './diagnostic.js'

/** The rules of the specification: `- \`dag/orphan\` warning ...`. */
function specifiedRules(): readonly string[] {
  const spec = readFileSync(new URL('../../../../docs/SPEC.md', import.meta.url), 'utf8')
  const diagnostics = spec.slice(spec.indexOf('\n## Diagnostics'), spec.indexOf('\n## Later'))
  return [...diagnostics.matchAll(/^- `([a-z]+\/[a-z0-9-]+)`/gm)].map(([, rule]) => rule ?? '')
}

describe('titles of diagnostics', () => {
  it('exist for every rule of the specification, and for no other', () => {
    expect(specifiedRules().length).toBeGreaterThan(25)
    expect(Object.keys(DIAGNOSTIC_TITLES).sort()).toEqual([...specifiedRules()].sort())
  })

  it('begin with a capital and end without a full stop', () => {
    for (const [rule, title] of Object.entries(DIAGNOSTIC_TITLES))
      expect(title, rule).toMatch(/^[A-Z].*[^.]$/)
  })

  it('are the rules themselves where these are not known', () => {
    expect(diagnosticTitle('dag/new-one')).toBe('dag/new-one')
    expect(diagnosticTitle('constructor')).toBe('constructor')
  })
})

describe('advice for diagnostics', () => {
  it('is about rules of the specification, in whole sentences', () => {
    for (const [rule, advice] of Object.entries(DIAGNOSTIC_ADVICE)) {
      expect(specifiedRules()).toContain(rule)
      expect(advice, rule).toMatch(/^[A-Z`].*\.$/)
    }
  })

  it('is null where there is nothing to do, and for rules that are not known', () => {
    expect(diagnosticAdvice('parse/crlf')).toBeNull()
    expect(diagnosticAdvice('constructor')).toBeNull()
  })
})
