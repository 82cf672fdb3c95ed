/** HU56: what redaction replaces changes nothing that an examination looks at, except for the secrets themselves. */
import { join } from 'node:path'
import { openHistory } from '@dagline/app'
import { corruptedSessions, sessionTexts, type TextFile, withHome } from '@dagline/testkit'
import { expect, it, vi } from 'vitest'
import { plantedSession } from '../../app/test/redact-places.js'
import { type Planted, plantsFor } from '../../app/test/redact-planted.js'
import { sessionRedactors } from '../src/push/redact.js'

/** The files of a session as they are sent. */
function redacted(files: readonly TextFile[]): readonly TextFile[] {
  const redactor = sessionRedactors()()
  const pieces = files.map(({ path, text }) => ({
    path,
    rows: text.split(/(?<=\n)/).map(row => Buffer.from(row)),
  }))
  for (const { rows } of pieces) for (const row of rows) redactor.learn(row)
  return pieces.map(({ path, rows }) => ({
    path,
    text: rows.map(row => redactor.redact(row).toString('utf8')).join(''),
  }))
}

/** A secret in the text of every third row. */
function withSecrets(text: string, plants: readonly Planted[]): string {
  return text
    .split('\n')
    .map((row, at) => {
      const plant = plants[at % plants.length]
      if (at % 3 !== 0 || plant === undefined) return row
      const secret = JSON.stringify(`${plant.text} `).slice(1, -1)
      return row.replace(/"(text|content|thinking)":"(?=[^"])/, `"$1":"${secret}`)
    })
    .join('\n')
}

it('[HU56] redaction makes no problem, and hides none but secrets', { timeout: 300_000 }, async () => {
  const plants = plantsFor(false)
  const sessions = [...corruptedSessions(sessionTexts('fixtures/recordings'), { count: 30 })]
  const files = sessions.map(({ seed, session, text }) => ({
    path: `-seed-${seed}/${session}.jsonl`,
    text: withSecrets(text, plants),
  }))
  await withHome([], async home => {
    vi.stubEnv('XDG_DATA_HOME', join(home.dir, 'data'))
    try {
      const sent = files.flatMap(file => redacted([file]))
      expect(sent.filter(({ text }, at) => text !== files[at]?.text).length).toBeGreaterThan(15)
      const before = await healthOf(files)
      const after = await healthOf(sent)
      expect(before.secrets).toBeGreaterThan(15)
      expect(after).toEqual({ ...before, secrets: 0 })
      // A session that has secrets in every place where one can stand.
      const planted = plantedSession(plants).map(({ path, text }) => ({ path: `-planted/${path}`, text }))
      expect((await healthOf(redacted(planted))).all).toEqual((await healthOf(planted)).all)
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

async function healthOf(files: readonly TextFile[]) {
  return await withHome(files, async ({ dir, projects }) => {
    const history = openHistory({ roots: [projects], index: join(dir, 'index.db') })
    const found = await history.health()
    history.close()
    const faults = found.flatMap(health => health.faults)
    return {
      secrets: faults.filter(({ id }) => id === 'secret').length,
      all: found.map(({ file, coverage, faults: own }) => ({
        ...{ file, coverage },
        faults: own
          .filter(({ id }) => id !== 'secret')
          .map(({ id, row, effect, count }) => [id, row, effect, count]),
      })),
    }
  })
}
