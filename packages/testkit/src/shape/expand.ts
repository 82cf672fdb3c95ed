/**
 * The test notation for shapes: a few characters per transcript row instead of a page of JSON.
 *
 *   s1: u1 a1[t1,t2] r1[t1] r2[t2] a2        one token is one row, in file order
 *   s1: a1 > u3@+30m a3                      goes on after a1 without writing it again
 *
 * A line names a file, then its nodes; lines are parted by a newline, or by ` / ` before the next file name.
 *
 *   file      s1 -> s1.jsonl      s1/x -> s1/subagents/agent-x.jsonl      s1+x -> agent-x.jsonl (older layout)
 *   s1: ! text                    a raw row, for broken ones; without text a blank row
 *   s1/x: meta {json}             the agent's sidecar, agent-x.meta.json
 *   # ...                         a comment, as a line or behind the nodes
 *
 * A line without `id >` starts a new root. A token used again writes the same entry under the current file's session.
 *
 *   u prompt        a assistant     r tool result     c compact boundary   k compact summary
 *   s system        h hook          p progress        x unknown type       ?9 never defined (a parent only)
 *   d thinking only e API error     y synthetic assistant                  i interrupt note
 *   m caveat (meta) l local command o local stdout    n task notification  q queued_command
 *   f file attachment               v system/api_error
 *
 * Around a token, in any order after it:
 *
 *   ~u1           side chain in the main file        u2'        the same turn under a new uuid: same parent, same time
 *   u3<a1         explicit parent, also forward      u3<-       no parent
 *   a2=a1         part of a1's message (message.id)  [t1,t2]    calls on an assistant, answers on a result
 *   u3@+30m       later (ms s m h d; @-5s earlier)   u3@=u2     at the instant of u2
 *   u1"text"      what it says (JSON escapes)        u1+{json}  laid over the row; `@{u1}` is that token's uuid
 *   c1^a1         logical parent (else the token before; ^- none)
 *   c1{a2,u3}     preserved messages, anchored at the summary that follows; `{a2,u3;c1}` names the anchor
 *   [t1:Task]     a call by name. Task and Agent spawn: the input's prompt is the text of the agent's first prompt.
 *                 `[t1:Task>x]` says which agent (`>u2`: an inline one by its prompt); unnamed calls take the
 *                 session's unnamed agents in order. On a result `[t1>x]` gives toolUseResult.agentId = x,
 *                 and `[t1!]` is an error.
 *
 * A boundary has no parent unless one is given. Equal texts give equal bytes: uuids come from the tokens, times count
 * one second per row from a fixed day.
 */
import { mergeJson, parseJson } from '../base/json.js'
import { fillUuids, shapeEntry, tokenUuid } from './entries.js'
import { layoutShape, type PlacedRow, type ShapeIndex } from './layout.js'
import { readShape, type ShapeLine, type ShapePlace } from './notation.js'

/** A file of a shape, or of a generated project: path below the project folder, and the whole text. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/** What a shape expands to, and the dictionary between its tokens and their uuids. */
export interface ShapeFiles {
  /** Transcripts, in the order in which the shape first names them. */
  readonly files: readonly TextFile[]
  /** Sidecars of agents. */
  readonly metas: readonly TextFile[]
  readonly uuids: ReadonlyMap<string, string>
  readonly tokens: ReadonlyMap<string, string>
  /** The uuid of a token, also of one never written (`?9`). */
  uuid(token: string): string
  /** Uuids as their tokens, `u1 a1 u2`; an id that is none of ours is kept as it is. */
  say(uuids: Iterable<string>): string
}

/** Expands a shape into the files that it describes. Throws `RangeError` where the text is not in the notation. */
export function expandShape(text: string): ShapeFiles {
  const lines = readShape(text)
  const index = layoutShape(lines)
  const uuids = new Map([...index.first.keys()].map(token => [token, tokenUuid(token)]))
  const tokens = new Map([...uuids].map(([token, uuid]) => [uuid, token]))
  return {
    files: writeFiles(index),
    metas: lines.flatMap(writeMeta),
    uuids,
    tokens,
    uuid: tokenUuid,
    say: list => [...list].map(uuid => tokens.get(uuid) ?? uuid).join(' '),
  }
}

/** The path of the file that a line of a shape writes to. */
function shapePath({ session, agent, beside }: ShapePlace): string {
  if (agent === null) return `${session}.jsonl`
  return beside ? `agent-${agent}.jsonl` : `${session}/subagents/agent-${agent}.jsonl`
}

function writeFiles(index: ShapeIndex): TextFile[] {
  const texts = new Map<string, string>()
  for (const row of index.rows) {
    const path = shapePath(row.at)
    texts.set(path, `${texts.get(path) ?? ''}${writeRow(row, index)}\n`)
  }
  return [...texts].map(([path, text]) => ({ path, text }))
}

function writeRow(row: PlacedRow, index: ShapeIndex): string {
  if (row.kind === 'raw') return fillUuids(row.text)
  const entry = shapeEntry(row, index)
  const { extra } = row.mark
  if (!extra) return JSON.stringify(entry)
  const filled = parseJson(fillUuids(JSON.stringify(extra))) ?? {}
  return JSON.stringify(mergeJson(entry, filled))
}

function writeMeta(line: ShapeLine): TextFile[] {
  if (line.kind !== 'meta') return []
  return [{ path: shapePath(line.at).replace(/\.jsonl$/, '.meta.json'), text: fillUuids(line.text) }]
}
