import {
  appendFileSync,
  copyFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryFile } from '../../test/temporary.js'
import { readRows } from './rows.js'
import { changeOf, type FileState, stateOf } from './state.js'

vi.mock('node:fs', async original => {
  const fs = await original<typeof import('node:fs')>()
  return { ...fs, statSync: vi.fn(fs.statSync), openSync: vi.fn(fs.openSync) }
})

const { openSync } = await import('node:fs')

function readState(path: string): FileState {
  return stateOf(
    path,
    readRows(path, () => {}),
  )
}

const ROWS = '{"a":1}\n{"b":2}\n'

describe('changeOf', () => {
  beforeEach(() => {
    vi.clearAllMocks()
  })

  it('[L5] an unchanged file costs one stat', () => {
    const path = temporaryFile(ROWS)
    const state = readState(path)
    vi.clearAllMocks()
    expect(changeOf(state, path)).toBe('unchanged')
    expect(statSync).toHaveBeenCalledTimes(1)
    expect(openSync).not.toHaveBeenCalled()
  })

  it('[L5] a grown file goes on behind its last complete row', () => {
    const path = temporaryFile(`${ROWS}{"c":`)
    const state = readState(path)
    expect(state).toMatchObject({ size: 21, offset: 16, row: 3 })
    appendFileSync(path, '3}\n')
    expect(changeOf(state, path)).toBe('grown')
    expect(readRows(path, () => {}, { from: state })).toMatchObject({ rows: 1, next: { offset: 24, row: 4 } })
  })

  it('[L5] what was written while a file was read counts as growth', () => {
    const path = temporaryFile(ROWS)
    const result = readRows(path, () => {})
    appendFileSync(path, '{"c":3}\n')
    const state = stateOf(path, result)
    expect(state.size).toBe(16)
    expect(changeOf(state, path)).toBe('grown')
  })

  it('[L5] an empty file grows too', () => {
    const path = temporaryFile('')
    const state = readState(path)
    appendFileSync(path, ROWS)
    expect(changeOf(state, path)).toBe('grown')
  })

  it('[L5] a shorter file was truncated, be it in its complete rows or in the unfinished one', () => {
    const path = temporaryFile(`${ROWS}{"c":`)
    const state = readState(path)
    truncateSync(path, 18)
    expect(changeOf(state, path)).toBe('truncated')
    truncateSync(path, 8)
    expect(changeOf(state, path)).toBe('truncated')
  })

  it.each([
    ['its head differs', `{"x":1}\n{"b":2}\n{"c":3}\n`],
    ['its last row differs', `{"a":1}\n{"x":2}\n{"c":3}\n`],
  ])('[L5] a longer file was replaced where %s', (_, content) => {
    const path = temporaryFile(ROWS)
    const state = readState(path)
    writeFileSync(path, content)
    expect(changeOf(state, path)).toBe('replaced')
  })

  it('[L5] an edit that keeps the size is noticed by its time', () => {
    const path = temporaryFile(`${ROWS.repeat(2000)}`)
    const state = readState(path)
    const edited = Buffer.from(ROWS.repeat(2000))
    edited.write('9', 16_005)
    writeFileSync(path, edited)
    utimesSync(path, 1, 1)
    expect(changeOf(state, path)).toBe('replaced')
  })

  it('[L5] a copy put in its place, times kept, is the same file', () => {
    const path = temporaryFile(ROWS)
    utimesSync(path, 1000, 1000)
    const state = readState(path)
    copyFileSync(path, `${path}.copy`)
    utimesSync(`${path}.copy`, 1000, 1000)
    renameSync(`${path}.copy`, path)
    expect(changeOf(state, path)).toBe('unchanged')
  })

  it('[L5] a file that was removed is gone', () => {
    const path = temporaryFile(ROWS)
    const state = readState(path)
    rmSync(path)
    expect(changeOf(state, path)).toBe('gone')
  })
})
