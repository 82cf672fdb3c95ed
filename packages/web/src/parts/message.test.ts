import { expect, test } from 'vitest'
import { drawn } from '../../test/nodes.ts'
import { Message } from './message.js'

test.each([
  ['Nothing was written.', 'Nothing was written.'],
  ['Run `dagline history` to list edits.', 'Run [CommandText text="dagline history"] to list edits.'],
  ['It has a ` alone.', 'It has a ` alone.'],
])('%j is shown with its commands as code', (text, shown) => {
  const { children } = Message({ text }).props
  expect(drawn(children)).toBe(shown)
})
