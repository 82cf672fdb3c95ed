import { generate, STYLE_NAMES } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { entryId, sessionId } from '../model/ids.js'
import { applyPatch, type Naming } from './patch.js'
import { renameText } from './rename-text.js'

const stamping: Naming = { session: sessionId('new'), rename: id => entryId(`<${id}>`), stamps: true }
const keeping: Naming = { session: sessionId('old'), rename: entryId, stamps: false }

describe('renaming a text', () => {
  it.each(STYLE_NAMES)('[E4] gives what the record gives, wherever it gives anything: rows of %s', style => {
    let quick = 0
    const rows = generate(3, { style }).files.flatMap(({ text }) => text.trim().split('\n'))
    for (const [index, row] of rows.entries()) {
      const parent = [undefined, null, entryId('p1')][index % 3]
      for (const naming of [stamping, keeping]) {
        const renamed = renameText(row, naming, parent)
        if (renamed === null) continue
        quick++
        const patch = parent === undefined ? {} : { parent }
        expect(JSON.parse(renamed.text)).toEqual(applyPatch(JSON.parse(row), patch, naming))
      }
    }
    expect(quick).toBeGreaterThan(rows.length)
  })

  it.each([
    ['a uuid inside of the record', '{"uuid":"a","parentUuid":null,"sessionId":"s","data":{"uuid":"b"}}'],
    ['a parent inside', '{"uuid":"a","parentUuid":null,"sessionId":"s","data":{"parentUuid":"b"}}'],
    ['an escape in a name', '{"uuid":"a\\n","parentUuid":null,"sessionId":"s"}'],
    ['a stamp', '{"uuid":"a","parentUuid":null,"sessionId":"s","forkedFrom":{}}'],
    ['no session', '{"uuid":"a","parentUuid":null}'],
    ['a note', '{"type":"mode","sessionId":"s"}'],
    ['something behind it', '{"uuid":"a","parentUuid":null,"sessionId":"s"} '],
  ])('[E4] leaves %s to the record', (_, row) => {
    expect(renameText(row, stamping, undefined)).toBeNull()
  })

  it('[E4] is not misled by words that look like keys', () => {
    const row = JSON.stringify({
      parentUuid: 'p',
      uuid: 'a',
      sessionId: 's',
      text: '"uuid":"x","parentUuid":"y"',
    })
    expect(JSON.parse(renameText(row, stamping, undefined)?.text ?? '')).toMatchObject({
      uuid: '<a>',
      parentUuid: '<p>',
      text: '"uuid":"x","parentUuid":"y"',
    })
  })
})
