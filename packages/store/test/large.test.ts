import { closeSync, openSync, writeSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runInChild } from './child.js'
import { temporaryFile } from './temporary.js'

const MEGABYTE = 1024 * 1024

const READ = `
  value = { rows: 0, length: 0, longest: 0, reduced: [] }
  store.readRows(path, row => {
    value.rows++
    value.length += row.length + 1
    value.longest = Math.max(value.longest, row.text.length)
    if (!row.whole) value.reduced.push(JSON.parse(row.text))
  })`

function appendTimes(path: string, count: number, block: Buffer): void {
  const file = openSync(path, 'a')
  for (let i = 0; i < count; i++) writeSync(file, block)
  closeSync(file)
}

describe('files and rows of any size', () => {
  it('[P6] a file of 300 MB takes the memory of a chunk', () => {
    const row = `${JSON.stringify({ uuid: 'u', text: 'x'.repeat(4000) })}\n`
    const block = Buffer.from(row.repeat(256))
    const path = temporaryFile('')
    appendTimes(path, 300, block)
    const { value, megabytes } = runInChild(READ, path)
    expect(value).toMatchObject({ rows: 300 * 256, length: 300 * block.length, reduced: [] })
    expect(megabytes).toBeLessThan(100)
  })

  it('[P6] a row of 110 MB takes the memory of a reduction', () => {
    const path = temporaryFile(
      '{"type":"user","uuid":"first"}\n{"parentUuid":"first","type":"progress","data":[',
    )
    const nested = JSON.stringify({ message: { id: 'm', content: [{ text: 'é"\\'.repeat(20_000) }] } })
    const block = Buffer.from(`${nested},`.repeat(10))
    const count = Math.ceil((110 * MEGABYTE) / block.length)
    appendTimes(path, count, block)
    appendTimes(
      path,
      1,
      Buffer.from('0],"uuid":"giant","timestamp":"2026-01-01T00:00:00Z"}\n{"uuid":"last"}\n'),
    )
    const { value, megabytes } = runInChild(READ, path)
    expect(value).toMatchObject({
      rows: 3,
      reduced: [{ parentUuid: 'first', type: 'progress', uuid: 'giant' }],
    })
    expect(megabytes).toBeLessThan(100)
  })
})
