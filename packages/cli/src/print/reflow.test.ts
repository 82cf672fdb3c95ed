import { expect, it } from 'vitest'
import { reflow } from './reflow.js'

const TEXT = `PATH is a transcript, a project,
or a projects root. REF is a uuid.
SESSION is an id.

  archive verify  check every byte of it
  $ dagline archive verify --everywhere --quiet`

it('[U10] help fits the terminal: sentences are broken, lists stay lists, commands stay whole', () => {
  expect(reflow(TEXT, 60)).toBe(TEXT)
  expect(reflow(TEXT, 40)).toBe(`PATH is a transcript, a project, or a
projects root. REF is a uuid.
SESSION is an id.

  archive verify  check every byte of it
  $ dagline archive verify --everywhere --quiet`)
  const entry = '  archive verify  check every byte\n                  of the archive'
  expect(reflow(entry, 40)).toBe(entry)
  expect(reflow(`${entry}\n`, 38)).toBe(`${entry}\n`)
  const long = `${entry}, block by block`
  expect(reflow(long, 42)).toBe(
    '  archive verify  check every byte of the\n                  archive, block by block',
  )
})
