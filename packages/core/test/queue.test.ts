import { describe, expect, it } from 'vitest'
import { fates, message, problems, queueRow } from './ask.js'
import { draw } from './support.js'

/** A queue row as a line of a shape. */
const q = (operation: string, content?: string, more: object = {}): string =>
  `s1: ! ${queueRow(operation, content, more)}`

describe('what became of queued input', () => {
  it('[Q1] prompt: dequeued and sent as it is', () => {
    const d = draw([q('enqueue', 'prompt u1'), q('dequeue'), 's1: u1 a1'].join('\n'))
    expect(fates(d)).toEqual(['enqueue prompt u1', 'dequeue prompt u1'])
    expect(problems(d)).toEqual([])
  })

  it('[Q1] prompt: one after another, equal texts too', () => {
    const d = draw(
      [
        q('enqueue', 'go on'),
        q('dequeue'),
        's1: u1"go on" a1',
        q('enqueue', 'go on'),
        q('dequeue'),
        's1: a1 > u2"go on" a2',
      ].join('\n'),
    )
    expect(fates(d)).toEqual([
      'enqueue prompt u1',
      'dequeue prompt u1',
      'enqueue prompt u2',
      'dequeue prompt u2',
    ])
  })

  it('[Q1] prompt: a row without a text goes by its position', () => {
    const d = draw([q('enqueue'), q('dequeue'), 's1: u1 a1'].join('\n'))
    expect(fates(d)).toEqual(['enqueue prompt u1', 'dequeue prompt u1'])
  })

  it('[Q1] prompt: a command is input as well', () => {
    const text = '<command-name>/review</command-name>'
    const d = draw([q('enqueue', text), q('dequeue'), `s1: l1"${text}" a1`].join('\n'))
    expect(fates(d)).toEqual(['enqueue prompt l1', 'dequeue prompt l1'])
  })

  it('[Q1] merged: two waiting texts become one prompt', () => {
    const d = draw(
      [
        's1: u1 a1',
        q('enqueue', 'two'),
        q('enqueue', 'three'),
        q('dequeue'),
        q('dequeue'),
        's1: a1 > u2"two\\nthree" a2',
      ].join('\n'),
    )
    expect(fates(d)).toEqual([
      'enqueue merged u2',
      'enqueue merged u2',
      'dequeue merged u2',
      'dequeue merged u2',
    ])
    expect(problems(d)).toEqual([])
  })

  it('[Q1] merged: also behind a long text', () => {
    const long = 'so many words '.repeat(40)
    const d = draw(
      [
        's1: u1 a1',
        q('enqueue', long),
        q('enqueue', 'three'),
        q('dequeue'),
        q('dequeue'),
        `s1: a1 > u2"${long}\\nthree" a2`,
      ].join('\n'),
    )
    expect(fates(d)).toEqual([
      'enqueue merged u2',
      'enqueue merged u2',
      'dequeue merged u2',
      'dequeue merged u2',
    ])
  })

  it('[Q1] attachment: absorbed in mid turn, by the ids of the delivery', () => {
    const removed = { reason: 'absorbed_mid_turn', commandUuid: 'c-1', deliveryId: 'd-1' }
    const carried = '+{"attachment":{"source_uuid":"c-1","delivery_id":"d-1"}}'
    const d = draw(
      [
        's1: u1 a1[t1]',
        q('enqueue', 'and this'),
        q('remove', 'and this', removed),
        `s1: a1 > r1[t1] q1"and this"${carried} a2`,
      ].join('\n'),
    )
    expect(fates(d)).toEqual(['enqueue attachment q1', 'remove attachment q1'])
  })

  it('[Q1] attachment: two equal texts, each by its own id', () => {
    const carried = (id: string): string => `+{"attachment":{"delivery_id":"${id}"}}`
    const d = draw(
      [
        's1: u1 a1[t1]',
        q('enqueue', 'again'),
        q('enqueue', 'again'),
        q('remove', 'again', { deliveryId: 'd-2' }),
        q('remove', 'again', { deliveryId: 'd-1' }),
        `s1: a1 > r1[t1] q1"again"${carried('d-1')} q2"again"${carried('d-2')} a2`,
      ].join('\n'),
    )
    expect(fates(d).slice(2)).toEqual(['remove attachment q2', 'remove attachment q1'])
  })

  it('[Q1] attachment: by its text where there are no ids', () => {
    const d = draw(
      [
        's1: u1 a1[t1]',
        q('enqueue', 'one'),
        q('enqueue', 'two'),
        q('remove', 'two'),
        's1: a1 > r1[t1] q1"two" a2',
        q('dequeue'),
        's1: a2 > u2"one" a3',
      ].join('\n'),
    )
    expect(fates(d)).toEqual([
      'enqueue prompt u2',
      'enqueue attachment q1',
      'remove attachment q1',
      'dequeue prompt u2',
    ])
  })

  it('[Q1] notification: the end of a background task, as an entry', () => {
    const text = '<task-notification><task-id>x</task-id></task-notification>'
    const d = draw(['s1: u1 a1', q('enqueue', text), q('dequeue'), `s1: a1 > n1"${text}" a2`].join('\n'))
    expect(fates(d)).toEqual(['enqueue notification n1', 'dequeue notification n1'])
  })

  it('[Q1] notification: the end of a background task, absorbed in mid turn', () => {
    const text = '<task-notification><task-id>x</task-id></task-notification>'
    const mode = '+{"attachment":{"commandMode":"task-notification"}}'
    const d = draw(
      ['s1: u1 a1[t1]', q('enqueue', text), q('remove', text), `s1: a1 > r1[t1] q1"${text}"${mode} a2`].join(
        '\n',
      ),
    )
    expect(fates(d)).toEqual(['enqueue notification q1', 'remove notification q1'])
  })

  it('[Q1] recalled: everything that waits, and nothing else', () => {
    const d = draw(
      [
        q('enqueue', 'prompt u1'),
        q('dequeue'),
        's1: u1 a1',
        q('enqueue', 'b'),
        q('enqueue', 'c'),
        q('popAll', 'b\nc'),
        's1: a1 > u2 a2',
      ].join('\n'),
    )
    expect(fates(d)).toEqual([
      'enqueue prompt u1',
      'dequeue prompt u1',
      'enqueue recalled',
      'enqueue recalled',
      'popAll recalled',
    ])
    expect(problems(d)).toEqual([])
  })

  it('[Q1] not recalled: the notice of a background task, which nobody typed', () => {
    const notice = '<task-notification>done</task-notification>'
    const d = draw(
      ['s1: u1 a1', q('enqueue', 'b'), q('enqueue', notice), q('popAll', 'b'), 's1: a1 > u2 a2'].join('\n'),
    )
    expect(fates(d)).toEqual(['enqueue recalled', 'enqueue unknown', 'popAll recalled'])
  })

  it('[Q1] lost: waits until the file ends', () => {
    const d = draw(['s1: u1 a1', q('enqueue', 'never sent')].join('\n'))
    expect(fates(d)).toEqual(['enqueue lost'])
  })

  it('[Q1] not lost: the text was sent later after all', () => {
    const d = draw(['s1: u1 a1', q('enqueue', 'prompt u2'), 's1: a1 > u2 a2'].join('\n'))
    expect(fates(d)).toEqual(['enqueue prompt u2'])
  })

  it('[Q1] unknown: removed without a trace, as before 2.1.105', () => {
    const d = draw(['s1: u1 a1[t1]', q('enqueue', 'gone'), q('remove'), 's1: a1 > r1[t1] a2'].join('\n'))
    expect(fates(d)).toEqual(['enqueue unknown', 'remove unknown'])
  })

  it('[Q1] unknown: an operation we do not know, and a dequeue of nothing', () => {
    expect(fates(draw([q('shuffle', 'x'), q('dequeue')].join('\n')))).toEqual([
      'other unknown',
      'dequeue unknown',
    ])
  })

  it('[Q1] content as blocks is content', () => {
    const blocks = JSON.stringify({
      type: 'queue-operation',
      operation: 'enqueue',
      content: [{ type: 'text', text: 'prompt u1' }],
    })
    expect(fates(draw([`s1: ! ${blocks}`, q('dequeue'), 's1: u1 a1'].join('\n')))).toEqual([
      'enqueue prompt u1',
      'dequeue prompt u1',
    ])
  })

  it('[Q1] each file has its own queue', () => {
    const other = queueRow('enqueue', 'prompt u1')
    const d = draw([`s2: ! ${other}`, q('enqueue', 'prompt u1'), q('dequeue'), 's1: u1 a1'].join('\n'))
    expect([fates(d), fates(d, 's2.jsonl')]).toEqual([
      ['enqueue prompt u1', 'dequeue prompt u1'],
      ['enqueue lost'],
    ])
  })
})

describe('messages sent at once', () => {
  it('[Q2] are one chain, each after the answer to the one before', () => {
    const d = draw(
      [
        q('enqueue', 'prompt u1'),
        q('dequeue'),
        's1: u1',
        q('enqueue', 'prompt u2'),
        q('enqueue', 'prompt u3'),
        's1: u1 > a1',
        q('dequeue'),
        's1: a1 > u2 a2',
        q('dequeue'),
        's1: a2 > u3 a3',
      ].join('\n'),
    )
    expect([d.trunk(), d.branches(), d.live()]).toEqual(['u1 a1 u2 a2 u3 a3', [], 'u1 a1 u2 a2 u3 a3'])
    expect(fates(d).filter(line => line.startsWith('enqueue'))).toEqual([
      'enqueue prompt u1',
      'enqueue prompt u2',
      'enqueue prompt u3',
    ])
  })

  it('[Q2] absorbed in one turn they stay on its line, in their order', () => {
    const d = draw(
      [
        's1: u1 a1[t1]',
        q('enqueue', 'b'),
        q('enqueue', 'c'),
        q('remove', 'b'),
        q('remove', 'c'),
        's1: a1 > r1[t1] q1"b" q2"c" a2',
      ].join('\n'),
    )
    expect([d.trunk(), d.branches()]).toEqual(['u1 a1 r1 q1 q2 a2', []])
    expect(fates(d).slice(2)).toEqual(['remove attachment q1', 'remove attachment q2'])
  })

  it('[Q2] merged into one prompt they are told apart by their operations', () => {
    const d = draw(
      [
        's1: u1 a1',
        q('enqueue', 'b'),
        q('enqueue', 'c'),
        q('dequeue'),
        q('dequeue'),
        's1: a1 > u2"b\\nc" a2',
      ].join('\n'),
    )
    const steps = d.graph.queues()[0]?.steps ?? []
    const parts = steps.filter(({ note }) => note.operation === 'enqueue' && note.text !== null)
    expect(parts.map(({ note, node }) => `${note.text?.head} ${d.say([node])}`)).toEqual(['b u2', 'c u2'])
  })
})

describe('lost input', () => {
  it('[Q3] is reported with its row and its text', () => {
    const d = draw(['s1: u1 a1', q('enqueue', 'please also fix "this"')].join('\n'))
    expect(problems(d)).toEqual(['warning dag/lost-input s1.jsonl:3'])
    expect(message(d, 'dag/lost-input')).toContain(JSON.stringify('please also fix "this"'))
  })

  it('[Q3] of two waiting texts only the one that was not delivered', () => {
    const d = draw(
      ['s1: u1 a1', q('enqueue', 'prompt u2'), q('enqueue', 'never'), q('dequeue'), 's1: a1 > u2 a2'].join(
        '\n',
      ),
    )
    expect(problems(d)).toEqual(['warning dag/lost-input s1.jsonl:4'])
  })

  it('[Q3] the text can be sent again: it is there as a whole', () => {
    const words = `begin ${'and so on '.repeat(15)}end`
    expect(message(draw(['s1: u1 a1', q('enqueue', words)].join('\n')), 'dag/lost-input')).toContain('end')
  })
})
