/** The examination: each kind of fault at its row, with what it costs. */

import { expandShape } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { examine, FAULT_KINDS, type Fault, type SessionHealth } from '../src/faults/index.js'
import { parseRow, startGraph } from '../src/index.js'
import { type DiskFacts, type SecretPlace, startSurvey } from '../src/resume/index.js'
import { factsOf, graphOfFiles } from './support.js'

const DISK: DiskFacts = {
  folder: null,
  hasFolder: () => true,
  newPlacesOf: () => [],
  isInArchive: () => true,
  daysLeft: null,
  hasOutput: () => true,
}

/** Examines the session of a shape, with what its contents and the disk say. */
function health(
  shape: string,
  disk: Partial<DiskFacts> = {},
  secrets: readonly SecretPlace[] = [],
): SessionHealth {
  const { files } = expandShape(shape)
  return healthOf(
    files.map(({ path, text }) => ({ path, text })),
    disk,
    secrets,
  )
}

function healthOf(
  files: readonly { readonly path: string; readonly text: string }[],
  disk: Partial<DiskFacts> = {},
  secrets: readonly SecretPlace[] = [],
): SessionHealth {
  const builder = startGraph()
  const surveys = new Map()
  for (const { path, text } of files) {
    const surveyor = startSurvey()
    let offset = 0
    for (const [at, row] of text.split('\n').entries()) {
      if (row === '' && at === text.split('\n').length - 1) break
      const raw = { row: at + 1, offset, length: Buffer.byteLength(row), text: row, whole: true }
      builder.addRow(factsOf(path), parseRow(raw, surveyor.see))
      offset += raw.length + 1
    }
    builder.addFile(factsOf(path), offset)
    for (const secret of secrets) surveyor.secret(secret)
    surveys.set(path, surveyor.survey({ ...DISK, ...disk }))
  }
  const [first] = examine(builder.build(), { surveys })
  if (first === undefined) throw new RangeError('no session')
  return first
}

/** Faults in short: `id severity row`. */
function faults(found: SessionHealth): readonly string[] {
  return found.faults.map(({ id, severity, row }) => `${id} ${severity}${row === null ? '' : ` ${row}`}`)
}

function only(found: SessionHealth, id: string): Fault {
  const fault = found.faults.find(each => each.id === id)
  if (fault === undefined) throw new RangeError(`no ${id} among ${faults(found).join(', ')}`)
  return fault
}

describe('healthy sessions', () => {
  it.each([
    ['linear', 's1: u1 a1 u2 a2'],
    ['a rewind', 's1: u1 a1 u2 a2 / s1: a1 > u3@+30m a3'],
    ['parallel calls', 's1: u1 a1[t1] a2[t2]=a1 / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3'],
    ['a compaction', 's1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3'],
    ['hooks on the way', 's1: u1 a1 h1 u2 a2 s1'],
  ])('[D2] %s: nothing is wrong and all is reached', (_, shape) => {
    const found = health(shape)
    expect(faults(found)).toEqual([])
    expect(found.coverage.now).toBe(found.coverage.possible)
  })
})

describe('links', () => {
  it('[D3] a missing parent that cuts the conversation is an error, with what is lost', () => {
    const found = health('s1: u1 a1 u2 a2 / s1: ?9 > u3@+1h a3')
    expect(faults(found)).toEqual(['dangling-parent error 5'])
    expect(found.coverage).toMatchObject({ now: 2, possible: 6 })
    expect(only(found, 'dangling-parent')).toMatchObject({ fix: 'dagline repair s1', count: 1 })
    expect(only(found, 'dangling-parent').message).toContain('loses 4 messages')
  })

  it('[D3] one that newer releases make good is only told', () => {
    expect(faults(health('s1: u1 a1 / s1: ?9 > u2 a2'))).toEqual(['dangling-parent info 3'])
  })

  it('[D3] of several cuts the first from the end costs, the others would', () => {
    const found = health('s1: u1 a1 / s1: ?8 > u2@+1h a2 / s1: ?9 > u3@+1h a3')
    expect(faults(found)).toEqual(['dangling-parent error 5', 'dangling-parent warning 3'])
  })

  it('[D3] a cycle is a warning where it costs nothing, an error where it does', () => {
    expect(faults(health('s1: u1 a1 u2<a2 a2 u3 a3'))).toEqual(['cycle warning 3'])
    expect(faults(health('s1: u1 a1 u2<u2@+1h a2 u3 a3'))).toEqual(['cycle error 3'])
  })

  it('[D4] turns that were forgotten after a crash', () => {
    const shape = 's1: u1 a1[t1] a2[t2]=a1 / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3 u2 a4 / s1: r1 > u3 a5'
    expect(faults(health(shape))).toContain('stale-parent warning 2')
  })

  it('[D4] a prompt that the client made up, hung on an old entry', () => {
    const shape = 's1: u1 a1 u2 a2 u3 a3 / s1: a1 > u4"Continue from where you left off." a4'
    expect(only(health(shape), 'stale-parent')).toMatchObject({ severity: 'warning', row: 7 })
  })

  it('[D4] an answer behind a compaction that hangs on an entry before it', () => {
    const shape = 's1: u1 a1 u2 a2 c1 k1 u3 a3 / s1: u2 > a4'
    expect(only(health(shape), 'stale-parent').row).toBe(9)
  })

  it('[D4] local commands of 1.0.x that hang on the first note of their process', () => {
    const found = health('s1: m1 l1 o1 u1 a1 / s1: m1 > l2 o2')
    expect(faults(found)).toEqual(['late-note error 7', 'stale-parent error 6'])
    expect(found.coverage).toMatchObject({ now: 3, possible: 7 })
  })

  it('[D5] a hook on the last row that hangs on an old entry', () => {
    const found = health('s1: u1 a1 u2 a2 / s1: a1 > h1')
    expect(faults(found)).toEqual(['late-note error 5'])
    expect(found.coverage).toMatchObject({ now: 2, possible: 4 })
    expect(only(found, 'late-note').fix).toBe('dagline checkout s1')
  })

  it('[D5] a note of an end that the conversation has left', () => {
    const note = '{"type":"last-prompt","leafUuid":"@{a2}","lastPrompt":"x","sessionId":"s1"}'
    const found = health(`s1: u1 a1 u2 a2\ns1: ! ${note}\ns1: a1 > u3 a3`)
    expect(faults(found)).toEqual(['stale-leaf error 4', 'more-loaded info 3'])
    expect(found.coverage).toMatchObject({ now: 2, possible: 4 })
  })

  it('[D5] results that the release which wrote the file does not load', () => {
    const parts = 's1: u1 a1[t1] a2[t2]=a1 / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3+{"version":"2.1.41"}'
    expect(only(health(parts), 'left-results')).toMatchObject({ severity: 'info', count: 2 })
  })
})

describe('what a resume does not load', () => {
  it('[D2] results without a call and thoughts without an answer can not be reached', () => {
    expect(health('s1: u1 a1 r1[t9] a2').coverage).toMatchObject({ now: 3, possible: 3 })
    expect(health('s1: u1 a1 u2 d1').coverage).toMatchObject({ now: 3, possible: 3 })
  })

  it('[D2] where no other kind says why, it is told, with a command', () => {
    const found = health('s1: u1 a1 u2 a2 c1{u2,a2} k1 x1 u3 a3')
    expect(found.coverage.now).toBeLessThan(found.coverage.possible)
    expect(only(found, 'unreached')).toMatchObject({ severity: 'error', fix: 'dagline repair s1' })
    expect(faults(health('s1: u1 a1 u2 a2 / s1: a1 > h1'))).not.toContain('unreached error')
  })

  it('[D6] an old row that was written again and taken for the end', () => {
    const shape = 's1: u1 a1 u2 a2 / s1: a1 > u4@+1h a4 / s1: a1 > u5@+2h a5 / s1: u2 a2'
    const found = health(shape)
    expect(found.coverage.now).toBeLessThan(found.coverage.possible)
    expect(only(found, 'duplicate-row')).toMatchObject({ severity: 'error', fix: 'dagline checkout s1' })
  })

  it('[D13] names a command for both ends where a resume loads another branch instead', () => {
    const shape = 's1: u1 a1 u2 a2 / s1: a1 > u4@+1h a4 / s1: a1 > u5@+2h a5 / s1: u2 a2'
    const found = health(shape)
    const end = expandShape(shape).uuid('a2')
    expect(only(found, 'more-loaded')).toMatchObject({ effect: 'none', fix: `dagline checkout s1:${end}` })
  })

  it('[D13] names no checkout of a conversation with a message in the wrong role, which would be refused', () => {
    const note = '{"type":"last-prompt","leafUuid":"@{a2}","lastPrompt":"x","sessionId":"s1"}'
    const end = (answer: string): string =>
      `s1: u1 a1 u2 a2\ns1: ! ${note}\ns1: a1 > u3 ${answer}[t1] r1[t1] a4`
    expect(only(health(end('a3')), 'stale-leaf').fix).toBe('dagline checkout s1')
    const wrong = health(end('a3+{"message":{"role":"user"}}'))
    expect(only(wrong, 'stale-leaf').fix).toBe('dagline repair s1 --accept-loss')
  })
})

describe('rows', () => {
  it('[D8] roles that are not those of their entries have no effect', () => {
    const found = health('s1: u1 a1+{"message":{"role":"user"}} u2 a2')
    expect(only(found, 'wrong-role')).toMatchObject({ severity: 'info', effect: 'none', count: 1 })
    expect(found.coverage).toMatchObject({ now: 4, possible: 4 })
  })

  it('[D6] messages without a uuid', () => {
    const found = health('s1: u1 a1+{"uuid":null} u2+{"uuid":null} a2 u3 a3')
    expect(only(found, 'no-uuid')).toMatchObject({ severity: 'warning', effect: 'none', count: 2, fix: null })
    expect(faults(health('s1: u1 a1 u2 a2'))).toEqual([])
  })

  it('[D6] rows that are written again', () => {
    expect(only(health('s1: u1 a1 u2 a2 / s1: u1 a1'), 'duplicate-row')).toMatchObject({
      severity: 'info',
      count: 2,
    })
    expect(only(health('s1: u1 a1 u2 a2 / s1: u2<-'), 'duplicate-row').severity).toBe('warning')
  })

  it('[D6] [G7] history again under new ids: a warning where a resume sends parts of both copies', () => {
    const found = health("s1: u1 a1[t1] r1[t1] a2 / s1: u1'<- a1'<u1' r1'<a1'[t1] a2'<r1' u3 a3")
    const fault = only(found, 'duplicate-row')
    expect(fault).toMatchObject({ severity: 'warning', count: 4, row: 5, fix: 'dagline repair s1' })
    expect(fault.message).toBe('4 entries repeat earlier ones under new ids; a resume sends 2 of them twice.')
    const apart = health("s1: u1 a1 c1 k1<c1 u2 a2 / s1: u1'<- a1'<u1' u2'<k1 a2'<u2' u3 a3")
    expect(only(apart, 'duplicate-row')).toMatchObject({ severity: 'warning' })
  })

  it('[D9] a rewind undid a compaction that kept nothing, and one before it kept some', () => {
    const found = health('s1: u1 a1 u2 a2 c1{u2,a2} k1<c1 u3 a3 u4 a4 c2 k2<c2 u5 a5 / s1: a3 > u6@+1h a6')
    expect(only(found, 'broken-compaction')).toMatchObject({ severity: 'error' })
  })

  it('[D6] torn and joined rows', () => {
    const { files } = expandShape('s1: u1 a1 u2@+1h a2 u3 a3')
    const rows = (files[0]?.text ?? '').trimEnd().split('\n')
    const torn = rows.with(2, rows[2]?.slice(0, 60) ?? '').join('\n')
    const found = healthOf([{ path: 's1.jsonl', text: `${torn}\n` }])
    expect(faults(found)).toContain('damaged-row error 3')
    const joined = [rows[0], rows[1], `${rows[2]}${rows[3]}`, rows[4], rows[5], ''].join('\n')
    expect(only(healthOf([{ path: 's1.jsonl', text: joined }]), 'damaged-row').row).toBe(3)
  })
})

describe('tools and contents', () => {
  it('[D7] calls without a result, results without a call, one id for two calls', () => {
    expect(faults(health('s1: u1 a1[t1] u2 a2'))).toEqual(['unanswered-call info 2'])
    expect(faults(health('s1: u1 a1[t1]'))).toEqual(['unanswered-call info 2'])
    expect(faults(health('s1: u1 a1 r1[t9] a2'))).toContain('stray-result warning 3')
    expect(faults(health('s1: u1 a1[t1] r1[t1] a2[t1] r2[t1] a3'))).toEqual(['duplicate-tool-id error 4'])
  })

  it('[D8] empty text: an error in a user entry, nothing in answers', () => {
    expect(faults(health('s1: u1 a1 u2"" a2'))).toEqual(['empty-content error 3'])
    const answer = health('s1: u1 a1"  " u2 a2')
    expect(faults(answer)).toEqual([])
    expect(answer.coverage).toMatchObject({ now: 3, possible: 3 })
  })

  it('[D8] thinking without a signature that would be sent', () => {
    expect(faults(health('s1: u1 d1 a1=d1 u2 a2'))).toEqual(['unsendable-thinking error 2'])
    expect(faults(health('s1: u1 a1 d1 u2 a2'))).toEqual([])
  })

  it('[D8] a conversation that begins with an answer', () => {
    expect(faults(health('s1: a1 u2 a2'))).toEqual(['answer-first error 1'])
    expect(faults(health('s1: u1 a1 u2 a2'))).toEqual([])
  })

  it('[D9] compactions: without a summary, with entries missing, rewound behind', () => {
    expect(faults(health('s1: u1 a1 c1 u2 a2'))).toContain('broken-compaction warning 3')
    expect(faults(health('s1: u1 a1 u2 a2 c1{u2,?9} k1 u3 a3'))).toContain('broken-compaction error 5')
    const rewound = health('s1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3 / s1: a1 > u4@+1h a4')
    expect(only(rewound, 'broken-compaction').message).toContain('instead of 2 messages')
  })
})

describe('locations', () => {
  it('[D10] two writers', () => {
    const shape = 's1: u1 a1 u2 / s1: a1 > u3 / s1: u2 > a2 u4 / s1: u3 > a3 / s1: u4 > a4'
    const found = health(shape)
    expect(faults(found).filter(id => id.startsWith('two-writers'))).toHaveLength(1)
    expect(only(found, 'two-writers').fix).toMatch(/^dagline checkout s1:/)
  })

  it("[D10] another session's id, not where a copy is the reason", () => {
    const foreign = health('s1: u1+{"sessionId":"s9"} a1 u2 a2')
    expect(only(foreign, 'wrong-session')).toMatchObject({ severity: 'warning', count: 1, row: 1 })
    expect(faults(health('s1: u1 a1 u2 a2 / s2: u1 a1 u3 a3'))).toEqual([])
  })

  it('[D10] a folder that is none of the paths that were worked in', () => {
    const cwd = 'u1+{"cwd":"/home/dev/old"}'
    const found = health(`s1: ${cwd} a1`, { folder: '/p/-home-dev-new' })
    expect(only(found, 'wrong-folder').severity).toBe('warning')
    expect(only(found, 'wrong-folder').fix).toBe('dagline mv /p/-home-dev-new /home/dev/old')
    expect(faults(health(`s1: ${cwd} a1`, { folder: '/p/-home-dev-old' }))).toEqual([])
  })

  it('[D10] where nothing is left of the paths that were worked in, there is nothing to repair', () => {
    const gone = { folder: '/p/-home-dev-new', hasFolder: () => false }
    const found = health('s1: u1+{"cwd":"/home/dev/old"} a1', gone)
    expect(only(found, 'wrong-folder')).toMatchObject({ severity: 'info', fix: null })
  })

  it('[D25] a working directory that is gone names the place where it seems to be', () => {
    const at = (places: readonly string[], there: readonly string[] = ['/home/dev']): SessionHealth =>
      health('s1: u1+{"cwd":"/home/dev/old"} a1', {
        folder: '/p/-home-dev-old',
        hasFolder: path => there.includes(path),
        newPlacesOf: () => places,
      })
    const fix = "dagline mv /home/dev/old '/home/dev/new one'"
    expect(only(at(['/home/dev/new one']), 'missing-folder')).toMatchObject({ severity: 'warning', fix })
    expect(only(at(['/a/old', '/b/old']), 'missing-folder')).toMatchObject({ severity: 'warning', fix: null })
    expect(only(at([]), 'missing-folder')).toMatchObject({ severity: 'info', fix: null })
    expect(faults(at([], [])), 'of another machine').toEqual([])
    expect(faults(at([], ['/home/dev/old']))).toEqual([])
  })

  it('[D26] every kind says what is done about it, and its rule', () => {
    for (const { id, meaning, cost, remedy, rule, fix } of FAULT_KINDS) {
      expect([id, meaning, cost, remedy].every(text => text.length > 3 && text.length < 200)).toBe(true)
      expect([id, rule]).toEqual([id, expect.stringMatching(/^D\d+$/)])
      // A kind that `dagline repair` fixes says what the repair does.
      expect([id, remedy.startsWith('The repair ')]).toEqual([id, fix === 'dagline repair SESSION'])
    }
  })

  it('[D10] long paths: the name of their folder is cut', () => {
    const cwd = `/home/${'long'.repeat(60)}`
    const folder = `/p/${cwd.replaceAll('/', '-').slice(0, 200)}-1abc`
    expect(faults(health(`s1: u1+{"cwd":"${cwd}"} a1`, { folder }))).toEqual([])
  })

  it('[D11] agents and outputs that are gone, prompts that were lost', () => {
    expect(faults(health('s1: u1 a1[t1:Task] r1[t1>gone] a2'))).toContain('missing-agent info 3')
    const spilled = 'r1[t1]+{"toolUseResult":{"persistedOutputPath":"/x/tool-results/a.txt"}}'
    const shape = `s1: u1 a1[t1] ${spilled} a2`
    expect(faults(health(shape, { hasOutput: () => false }))).toEqual(['missing-output info 3'])
    expect(faults(health(shape, { hasOutput: path => path.endsWith('a.txt') }))).toEqual([])
    const queue =
      '{"type":"queue-operation","operation":"enqueue","content":"words","sessionId":"s1","timestamp":"2026-01-01T10:00:01.500Z"}'
    expect(faults(health(`s1: u1 a1\ns1: ! ${queue}\ns1: a1 > u2 a2`))).toContain('lost-prompt warning 3')
  })

  it('[D12] sizes, secrets, and sessions that are deleted soon', () => {
    const [file] = expandShape('s1: u1"words" a1').files
    const text = file?.text.replace('words', 'x'.repeat(11_000_000)) ?? ''
    expect(faults(healthOf([{ path: 's1.jsonl', text }]))).toEqual(['oversized warning 1'])
    const secrets = [1, 1, 2].map(row => ({ kind: 'api-key', row }))
    expect(only(health('s1: u1 a1', {}, secrets), 'secret')).toMatchObject({ count: 3, row: 1 })
    expect(faults(health('s1: u1 a1', { daysLeft: 3 }))).toEqual(['swept-soon warning'])
    expect(faults(health('s1: u1 a1', { daysLeft: 8 }))).toEqual([])
  })
})

describe('the list of kinds', () => {
  it('[D13] every kind has a name of its own, a meaning, a cost, and a command where one mends it', () => {
    expect(new Set(FAULT_KINDS.map(({ id }) => id)).size).toBe(FAULT_KINDS.length)
    for (const { id, meaning, cost, title } of FAULT_KINDS) {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/)
      for (const text of [meaning, cost]) expect(text).toMatch(/^[A-Z`].*[.)]$/s)
      expect(title).not.toBe('')
    }
  })

  it('[D13] gives one report for each session file, agents left out', () => {
    const { files, metas } = expandShape('s1: u1 a1[t1:Task] / s1/x: u2 a2 / s1: a1 > r1[t1] a3 / s2: u4 a4')
    const reports = examine(graphOfFiles(files, metas))
    expect(reports.map(({ file }) => file)).toEqual(['s1.jsonl', 's2.jsonl'])
  })
})
