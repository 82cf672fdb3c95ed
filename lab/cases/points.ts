/** Points of a session that edits are tried at, chosen by dagline's own reading. */

import { isPrompt, objectOf, parseJson, textIn } from '@dagline/testkit'
import { readSession } from '../harness/graph.ts'
import type { LabSession } from './case.ts'

/** Uuids of entries; null where a session has no such point. */
export interface Points {
  /** In the middle of what is live. */
  readonly middle: string | null
  /** The last message of an abandoned branch. */
  readonly abandoned: string | null
  /** The last prompt on one. */
  readonly abandonedPrompt: string | null
  /** The last message before the newest compaction. */
  readonly beforeCompaction: string | null
  /** The last prompt of what is live, where it is not the first one. */
  readonly lastPrompt: string | null
  /** The answer to the first prompt. */
  readonly firstAnswer: string | null
}

interface Entry {
  readonly uuid: string
  readonly isPrompt: boolean
  readonly isAnswer: boolean
  readonly isBoundary: boolean
}

/** Chooses them. */
export function pointsOf({ session, text }: LabSession): Points {
  const { graph, path } = readSession(session, text)
  const live = graph.live(path).map(node => graph.id(node))
  const isLive = new Set<string>(live)
  const off = graph.lines().filter(({ kind, status }) => kind === 'branch' && status === 'abandoned')
  const isOff = new Set<string>(off.flatMap(({ nodes }) => nodes.map(node => graph.id(node))))
  const entries = text.split('\n').flatMap(entryOn)
  const messages = entries.filter(({ isBoundary }) => !isBoundary)
  const prompts = messages.filter(({ uuid, isPrompt: asks }) => asks && isLive.has(uuid))
  // A compaction may have kept entries of a branch that was abandoned.
  const left = messages.filter(({ uuid }) => isOff.has(uuid) && !isLive.has(uuid))
  const boundary = entries.findLastIndex(({ isBoundary }) => isBoundary)
  return {
    middle: live[live.length >> 1] ?? null,
    abandoned: left.at(-1)?.uuid ?? null,
    abandonedPrompt: left.findLast(({ isPrompt: asks }) => asks)?.uuid ?? null,
    beforeCompaction: boundary > 0 ? (entries[boundary - 1]?.uuid ?? null) : null,
    lastPrompt: prompts.length > 1 ? (prompts.at(-1)?.uuid ?? null) : null,
    firstAnswer: messages.find(({ uuid, isAnswer }) => isAnswer && isLive.has(uuid))?.uuid ?? null,
  }
}

/** Messages and boundaries of the main conversation. */
function entryOn(row: string): readonly Entry[] {
  const json = parseJson(row)
  const uuid = textIn(json, 'uuid')
  if (json === null || uuid === null || json['isSidechain'] === true) return []
  const isBoundary = json['subtype'] === 'compact_boundary'
  const isMessage = (json['type'] === 'user' || json['type'] === 'assistant') && hasWords(json)
  if (!isBoundary && !isMessage) return []
  return [{ uuid, isBoundary, isPrompt: isMessage && isTyped(json), isAnswer: json['type'] === 'assistant' }]
}

type Row = NonNullable<ReturnType<typeof parseJson>>

function hasWords(json: Row): boolean {
  return json['isApiErrorMessage'] !== true && objectOf(json['message']) !== null
}

function isTyped(json: Row): boolean {
  const content = objectOf(json['message'])?.['content']
  const isEcho = typeof content === 'string' && content.trimStart().startsWith('<')
  return isPrompt(json) && json['isMeta'] !== true && !isEcho
}
