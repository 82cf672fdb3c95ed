/** HU14: what leaves of a session for a hub has no secret of any kind, in whatever place it stands. */
import { join } from 'node:path'
import { withHome } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { plantedSession } from '../../app/test/redact-places.js'
import { type Planted, plantsFor, survivors } from '../../app/test/redact-planted.js'
import { sessionRedactors } from '../src/push/redact.js'

/** All files of a session as they would be sent, a row after the other. */
async function sent(plants: readonly Planted[]): Promise<string> {
  return await withHome([], async home => {
    const before = process.env['XDG_DATA_HOME']
    process.env['XDG_DATA_HOME'] = join(home.dir, 'data')
    try {
      const redactor = sessionRedactors()()
      const pieces = plantedSession(plants).flatMap(({ path, text }) =>
        (path.endsWith('.jsonl') ? text.split(/(?<=\n)/) : [text]).map(piece => Buffer.from(piece)),
      )
      for (const piece of pieces) redactor.learn(piece)
      return pieces.map(piece => redactor.redact(piece).toString('utf8')).join('')
    } finally {
      if (before === undefined) delete process.env['XDG_DATA_HOME']
      else process.env['XDG_DATA_HOME'] = before
    }
  })
}

it.each([
  ['as they are', false],
  ['encoded', true],
])(
  '[HU14] no secret of any kind in any place is sent: %s',
  async (_, isEncoded) => {
    const plants = plantsFor(isEncoded)
    const text = await sent(plants)
    expect(survivors(text, plants)).toEqual([])
    expect(text).toContain('[redacted:')
  },
  600_000,
)
