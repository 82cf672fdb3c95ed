import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runInChild } from './child.js'
import { temporaryFolder, writeFiles } from './temporary.js'

const MEGABYTE = 1024 * 1024

/** Keeps a folder, checks the archive, writes everything to another place and compares it there. */
const ALL = `
  const { join } = await import('node:path')
  const { readdirSync } = await import('node:fs')
  const drain = work => { for (;;) { const step = work.next(); if (step.done) return step.value } }
  const root = join(path, 'root')
  const archive = store.openArchiveWriter(join(path, 'archive.db'))
  const { added, stored } = drain(archive.keep(store.discover([root])))
  const { faults } = drain(store.verifyArchive(archive))
  const files = archive.list()
  const first = [...store.restoreFiles(archive, files, { to: join(path, 'out') })].map(file => file.outcome)
  const second = [...store.restoreFiles(archive, files, {})].map(file => file.outcome)
  value = { added, stored, faults: faults.length, first, second }`

function writeLarge(path: string, blocks: Iterable<string>): void {
  const file = openSync(path, 'a')
  for (const block of blocks) writeSync(file, block)
  closeSync(file)
}

function* uniqueRows(megabytes: number): Generator<string> {
  const filler = 'The quick brown fox jumps over the lazy dog. '.repeat(20)
  for (let block = 0; block < megabytes; block++) {
    const rows = Array.from({ length: 1100 }, (_, n) => `{"uuid":"${block}-${n}","text":"${n}${filler}"}\n`)
    yield rows.join('')
  }
}

function* oneRow(megabytes: number): Generator<string> {
  yield '{"uuid":"giant","data":"'
  for (let n = 0; n < megabytes; n++) yield `${n} `.repeat(MEGABYTE / 4).slice(0, MEGABYTE)
  yield '"}\n'
}

describe('files and rows of any size', () => {
  it('[K12] a file of 250 MB and a row of 110 MB are kept, checked and given back within bounded memory', () => {
    const folder = temporaryFolder()
    writeFiles(folder, { 'root/p/s1.jsonl': '', 'root/p/s2.jsonl': '{"uuid":"u1"}\n' })
    writeLarge(join(folder, 'root/p/s1.jsonl'), uniqueRows(250))
    writeLarge(join(folder, 'root/p/s2.jsonl'), oneRow(110))
    const { value, megabytes } = runInChild(ALL, folder)
    expect(value).toMatchObject({
      added: 2,
      faults: 0,
      first: ['written', 'written'],
      second: ['same', 'same'],
    })
    expect(megabytes).toBeLessThan(200)
  }, 120_000)
})
