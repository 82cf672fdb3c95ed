/** Rows of a transcript as facts about its entries: no more than a scorer and the adapters need. */
import { readFileSync } from 'node:fs'

/**
 * The entries of a transcript by uuid, in the order of rows.
 * @param {string} path
 */
export function readTranscript(path) {
  const entries = new Map()
  const rows = readFileSync(path, 'utf8').split('\n').map(parseRow)
  const lastBoundary = rows.findLastIndex(record => record?.subtype === 'compact_boundary')
  for (const [at, record] of rows.entries()) {
    if (typeof record?.uuid !== 'string' || entries.has(record.uuid)) continue
    entries.set(record.uuid, { ...factsOf(record), row: at + 1, isCompacted: at < lastBoundary })
  }
  return entries
}

function parseRow(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** How texts begin that the client writes: commands and their output, notifications, interrupts. */
const CLIENT_TEXT = /^(?:<(?:command-|local-command-|bash-|task-notification)|\[Request interrupted)/

function factsOf(record) {
  const content = record.message?.content
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: String(content ?? '') }]
  const ofType = type => blocks.filter(block => block?.type === type)
  return {
    type: record.type,
    message: record.type === 'assistant' ? (record.message?.id ?? null) : null,
    calls: ofType('tool_use').map(({ id }) => id),
    results: ofType('tool_result').map(({ tool_use_id: id }) => id),
    text:
      textOf(ofType('text')) || textOf(ofType('tool_result').flatMap(({ content: inner }) => inner ?? [])),
    isThinking: blocks.length > 0 && blocks.every(({ type }) => /thinking$/.test(type)),
    isSidechain: record.isSidechain === true,
    isNotice: record.isApiErrorMessage === true || record.message?.model === '<synthetic>',
    isMeta:
      record.isMeta === true ||
      record.isCompactSummary === true ||
      record.isVisibleInTranscriptOnly === true ||
      CLIENT_TEXT.test(ofType('text')[0]?.text ?? ''),
  }
}

function textOf(blocks) {
  return blocks.map(block => (typeof block === 'string' ? block : (block?.text ?? ''))).join('')
}
