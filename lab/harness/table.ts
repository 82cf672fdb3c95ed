/** The tables of docs/LAB.md. */
import type { Verdict } from './judge.ts'

/** A part of the document that a run renews. */
export function tablesOf(verdicts: readonly Verdict[], day: string): string {
  const versions = [...new Set(verdicts.map(({ version }) => version))]
  const read = verdicts.filter(({ keepsPromise }) => keepsPromise === null)
  const made = verdicts.filter(({ keepsPromise }) => keepsPromise !== null)
  return [
    `Last full run: ${day}, Claude Code ${versions.join(', ')}; ${verdicts.length} resumes.`,
    '',
    '### What the model says, and what was sent',
    '',
    ...agreement(read, versions),
    '',
    ...(made.length === 0 ? [] : ['### What dagline writes', '', ...promises(made), '']),
    ...exceptions(verdicts),
  ].join('\n')
}

function agreement(verdicts: readonly Verdict[], versions: readonly string[]): readonly string[] {
  const kinds = [...new Set(verdicts.map(({ kind }) => kind))]
  const cell = (kind: string | null, version: string): string => {
    const here = verdicts.filter(
      verdict => (kind === null || verdict.kind === kind) && verdict.version === version,
    )
    const right = here.filter(({ agrees }) => agrees).length
    return here.length === 0 ? '' : right === here.length ? `${right}` : `**${right}** of ${here.length}`
  }
  const line = (title: string, kind: string | null): string =>
    `| ${title} | ${versions.map(version => cell(kind, version)).join(' | ')} |`
  return [
    `| Session | ${versions.join(' | ')} |`,
    `|---|${versions.map(() => '--:').join('|')}|`,
    ...kinds.map(kind => line(kind, kind)),
    line('all', null),
  ]
}

function promises(verdicts: readonly Verdict[]): readonly string[] {
  const kinds = [...new Set(verdicts.map(({ kind }) => kind))]
  return [
    '| What was done | sessions | promise kept | request valid |',
    '|---|--:|--:|--:|',
    ...kinds.map(kind => {
      const here = verdicts.filter(verdict => verdict.kind === kind)
      const [kept, valid] = [
        here.filter(({ keepsPromise }) => keepsPromise),
        here.filter(({ isValid }) => isValid),
      ]
      return `| ${kind} | ${here.length} | ${kept.length} | ${valid.length} |`
    }),
  ]
}

const LISTED = 40

/** Where the model is wrong, or a promise is not kept. */
function exceptions(verdicts: readonly Verdict[]): readonly string[] {
  const odd = verdicts.filter(({ agrees, keepsPromise, isValid }) =>
    keepsPromise === null ? !agrees : !keepsPromise || !isValid,
  )
  if (odd.length === 0) return ['No exceptions.']
  const more = odd.length > LISTED ? [`- and ${odd.length - LISTED} more.`] : []
  return [
    '### Exceptions',
    '',
    ...odd
      .slice(0, LISTED)
      .map(({ kind, name, version, difference }) => `- ${version}, ${kind}, ${name}: ${difference}.`),
    ...more,
  ]
}
