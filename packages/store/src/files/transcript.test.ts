import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../test/temporary.js'
import { readTranscript } from './transcript.js'

const ignore = () => {}

describe('readTranscript', () => {
  it('[P8] a file that vanished after it was listed is a diagnostic', () => {
    const { result, diagnostics } = readTranscript(temporaryFolder(), 'gone.jsonl', ignore)
    expect(result).toBeNull()
    expect(diagnostics).toMatchObject([{ rule: 'store/vanished', severity: 'warning', file: 'gone.jsonl' }])
  })

  it('[P8] a file that cannot be read is a diagnostic without the machine’s paths', () => {
    const root = temporaryFolder()
    writeFiles(root, { 'x.jsonl/inside': '' })
    const { result, diagnostics } = readTranscript(root, 'x.jsonl', ignore)
    expect(result).toBeNull()
    expect(diagnostics).toMatchObject([
      { rule: 'store/unreadable', message: expect.stringContaining('it is a folder') },
    ])
    expect(JSON.stringify(diagnostics)).not.toContain(root)
  })

  it('[P5] repaired line ends and bytes are reported once per file', () => {
    const root = temporaryFolder()
    writeFiles(root, { 'x.jsonl': Buffer.from('{}\n{}\r\n"\xff"\r\n', 'latin1') })
    const { diagnostics } = readTranscript(root, 'x.jsonl', ignore)
    expect(diagnostics.map(({ rule, row }) => [rule, row])).toEqual([
      ['parse/crlf', 2],
      ['parse/invalid-utf8', 3],
    ])
  })

  it('does not take what its caller throws for a fault of the file', () => {
    const root = temporaryFolder()
    writeFiles(root, { 'x.jsonl': '{}\n' })
    const stop = () => {
      throw new RangeError(join('any', 'thing'))
    }
    expect(() => readTranscript(root, 'x.jsonl', stop)).toThrow(RangeError)
  })
})
