/** Short sessions with every kind of broken link, in any mixture: the same number gives the same session. */
import { createRng, type Rng } from '@dagline/testkit'

/** Chances of what a session may have, each for one row. */
const CHANCE = {
  missing: 0.08,
  root: 0.03,
  back: 0.12,
  ahead: 0.02,
  repeat: 0.04,
  sidechain: 0.03,
  early: 0.06,
  late: 0.15,
  compaction: 0.06,
} as const

interface Drawing {
  readonly rng: Rng
  readonly session: string
  readonly rows: Row[]
  clock: number
  message: number
}

type Row = Record<string, unknown> & { readonly uuid: string; readonly type: string }

/** Draws the text of a session. */
export function randomSession(seed: number, session: string): string {
  const rng = createRng(seed)
  const drawing: Drawing = { rng, session, rows: [], clock: Date.UTC(2026, 0, 5, 9), message: 0 }
  const size = 4 + rng.int(14)
  while (drawing.rows.length < size) addRows(drawing)
  return `${drawing.rows.map(row => JSON.stringify(row)).join('\n')}\n`
}

function addRows(drawing: Drawing): void {
  const { rng, rows } = drawing
  const last = rows.at(-1)
  if (last !== undefined && rng.chance(CHANCE.repeat)) {
    const row = rng.pick(rows)
    rows.push(rng.chance(0.3) ? { ...row, parentUuid: parentOf(drawing) } : row)
  } else if (rows.length > 2 && rng.chance(CHANCE.compaction)) addCompaction(drawing)
  else if (last !== undefined && last.type === 'assistant' && rng.chance(0.35)) addCalls(drawing)
  else if (rng.chance(0.25)) addBeside(drawing)
  else if (last?.type === 'user') addAnswer(drawing)
  else push(drawing, 'user', { message: { role: 'user', content: `prompt ${rows.length}` } })
}

function addAnswer(drawing: Drawing): void {
  const { rng } = drawing
  drawing.message++
  const parts = 1 + (rng.chance(0.25) ? 1 : 0)
  for (let part = 0; part < parts; part++) {
    const thinks = rng.chance(0.15)
    const block = thinks
      ? { type: 'thinking', thinking: `thought ${drawing.rows.length}`, signature: 'c2ln' }
      : { type: 'text', text: `answer ${drawing.rows.length}` }
    pushPart(drawing, block)
  }
}

/** Calls of one message, and their results in some order; some are missing. */
function addCalls(drawing: Drawing): void {
  const { rng, rows } = drawing
  drawing.message++
  const calls = Array.from({ length: 1 + rng.int(3) }, (_, nth) => `toolu_${rows.length}_${nth}`)
  const parts = calls.map(id =>
    pushPart(drawing, { type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }),
  )
  for (const [nth, id] of calls.entries()) {
    if (rng.chance(0.1)) continue
    const own = rng.chance(0.7) ? parts[nth]?.uuid : rows.at(-1)?.uuid
    const content = [
      {
        type: 'tool_result',
        tool_use_id: rng.chance(0.04) ? `${id}x` : id,
        content: `output ${rows.length}`,
      },
    ]
    push(drawing, 'user', { parentUuid: own, message: { role: 'user', content } })
  }
}

/** Entries that are not messages. */
function addBeside(drawing: Drawing): void {
  switch (drawing.rng.int(4)) {
    case 0:
      push(drawing, 'attachment', {
        attachment: { type: 'hook_success', content: '', hookName: 'x', toolUseID: 'x', hookEvent: 'Stop' },
      })
      break
    case 1:
      push(drawing, 'system', { subtype: 'turn_duration', durationMs: 1, isMeta: true })
      break
    case 2:
      push(drawing, 'progress', { data: { type: 'hook_progress' }, toolUseID: 'x' })
      break
    default:
      push(drawing, 'unheard-of', {})
  }
}

function addCompaction(drawing: Drawing): void {
  const { rng, rows } = drawing
  const kept = rng.chance(0.7)
    ? rows
        .filter(isMessage)
        .slice(-1 - rng.int(3))
        .map(({ uuid }) => uuid)
    : []
  const boundary = uuidOf(drawing, rows.length)
  const summary = uuidOf(drawing, rows.length + 1)
  const anchorUuid = rng.chance(0.2) ? boundary : summary
  const listed = { preservedMessages: { anchorUuid, uuids: kept, allUuids: kept } }
  const segment = { preservedSegment: { headUuid: kept[0], anchorUuid, tailUuid: kept.at(-1) } }
  const meta = { trigger: 'manual', preTokens: 10, ...(kept.length > 0 ? { ...listed, ...segment } : {}) }
  push(drawing, 'system', {
    parentUuid: null,
    logicalParentUuid: rows.at(-1)?.uuid ?? null,
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    level: 'info',
    compactMetadata: meta,
  })
  if (rng.chance(0.1)) return
  const message = { role: 'user', content: `summary ${rows.length}` }
  push(drawing, 'user', {
    parentUuid: boundary,
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
    message,
  })
}

function isMessage({ type }: Row): boolean {
  return type === 'user' || type === 'assistant'
}

function pushPart(drawing: Drawing, block: object): Row {
  const message = {
    id: `msg_${drawing.message}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-lab',
    content: [block],
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  return push(drawing, 'assistant', { message, requestId: `req_${drawing.message}` })
}

function push(drawing: Drawing, type: string, fields: Record<string, unknown>): Row {
  const { rng, rows, session } = drawing
  drawing.clock += rng.chance(CHANCE.late) ? 2000 * (1 + rng.int(40)) : 1 + rng.int(900)
  const time = rng.chance(CHANCE.early) ? drawing.clock - rng.int(20_000) : drawing.clock
  const row: Row = {
    parentUuid: parentOf(drawing),
    isSidechain: rng.chance(CHANCE.sidechain),
    userType: 'external',
    cwd: '/home/dev/lab',
    sessionId: session,
    version: '2.1.325',
    gitBranch: '',
    type,
    uuid: uuidOf(drawing, rows.length),
    timestamp: new Date(time).toISOString(),
    ...fields,
  }
  rows.push(row)
  return row
}

function parentOf(drawing: Drawing): string | null {
  const { rng, rows } = drawing
  const last = rows.at(-1)
  if (last === undefined || rng.chance(CHANCE.root)) return null
  if (rng.chance(CHANCE.missing)) return uuidOf(drawing, 9000 + rows.length)
  if (rng.chance(CHANCE.back)) return rng.pick(rows).uuid
  return rng.chance(CHANCE.ahead) ? uuidOf(drawing, rows.length + rng.int(3)) : last.uuid
}

function uuidOf({ session }: Drawing, number: number): string {
  return `${session.slice(0, 8)}-0000-4000-8000-${String(number).padStart(12, '0')}`
}
