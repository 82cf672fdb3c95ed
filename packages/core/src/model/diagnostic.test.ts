import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DIAGNOSTIC_TITLES, diagnosticTitle } from './diagnostic.js'

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
