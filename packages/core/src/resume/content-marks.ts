/** Marks of a message: what in it cannot be sent, and what kind of prompt it is. Most messages have none. */
import { asList, asObject, asObjects, asText, type Json } from '../parse/json.js'

/** Some block has no text in it. */
export const EmptyBlock = 1
/** Nothing is left without such blocks, or there was no block at all. */
export const NothingToSend = 2
/** A thought that the API does not take back: it has no signature. */
export const Unsigned = 4
/** What the CLI makes up when it goes on by itself after a crash. */
export const GoesOn = 8
/** It has more than one block. */
export const Several = 16
/** A text of white space alone: models say so now and then, and every client leaves it out by itself. */
export const Blank = 32
/** The content is a blank string and no list of blocks: clients send that of a user as it is, and the API refuses it. */
export const BlankString = 64
/** A result holds an empty text: clients send it as it is, and the API refuses it. */
export const EmptyInResult = 128
/** An image or document without data: clients send it as it is, and the API refuses it. */
export const NoData = 256
/** Its message names another role than the type of the entry. */
export const WrongRole = 512
/** An answer to a request that has no message id: clients join it with others of that kind. */
export const NoMessageId = 1024

/** What cannot be sent of a message. */
export function marksOf(json: Json): number {
  const message = asObject(json.message)
  const content = message?.content
  const fields =
    (hasWrongRole(json, message) ? WrongRole : 0) | (hasNoMessageId(json, message) ? NoMessageId : 0)
  if (typeof content === 'string') return textMarks(content) | fields
  const blocks = asObjects(content)
  const empty = blocks.filter(isEmptyBlock).length
  const blank = blocks.filter(block => isEmptyBlock(block) && asText(block.text) !== null).length
  const unsigned = blocks.filter(isUnsigned).length
  const inResults = blocks.some(hasEmptyPart)
  let marks = empty > blank || inResults || blocks.length === 0 ? fields | EmptyBlock : fields
  if (inResults) marks |= EmptyInResult
  if (blocks.some(hasNoData)) marks |= NoData
  if (blank > 0) marks |= Blank
  if (unsigned > 0) marks |= Unsigned
  if (empty + unsigned === blocks.length) marks |= NothingToSend
  if (blocks.length > 1) marks |= Several
  return goesOn(blocks) ? marks | GoesOn : marks
}

function hasWrongRole({ type }: Json, message: Json | null): boolean {
  const role = message?.role
  return (type === 'user' || type === 'assistant') && typeof role === 'string' && role !== type
}

function hasNoMessageId({ type, requestId }: Json, message: Json | null): boolean {
  return type === 'assistant' && typeof message?.id !== 'string' && typeof requestId === 'string'
}

function textMarks(text: string): number {
  if (text.trim() === '') return (text === '' ? EmptyBlock : Blank) | NothingToSend | BlankString
  return text.startsWith(GO_ON) ? GoesOn : 0
}

const GO_ON = 'Continue from where you left off'

function goesOn(blocks: readonly Json[]): boolean {
  const first = blocks[0]
  return first?.type === 'text' && (asText(first.text)?.startsWith(GO_ON) ?? false)
}

/** A text without any character that shows; the API refuses it. */
export function isEmptyBlock(block: Json): boolean {
  return block.type === 'text' && (typeof block.text !== 'string' || block.text.trim() === '')
}

/** A result with a text of no characters in it. */
export function hasEmptyPart({ content }: Json): boolean {
  return asList(content).some(isEmptyPart)
}

function isEmptyPart(part: unknown): boolean {
  const block = asObject(part)
  return block !== null && block.type === 'text' && block.text === ''
}

/** An image or document that nothing is in, or a result with such. */
export function hasNoData(block: Json): boolean {
  if (block.type === 'tool_result')
    return asList(block.content).some(part => isEmptyMedium(asObject(part) ?? {}))
  return isEmptyMedium(block)
}

/** An image or document whose data is an empty text. */
export function isEmptyMedium({ type, source }: Json): boolean {
  return (type === 'image' || type === 'document') && asObject(source)?.data === ''
}

/** A thought that was cut before its signature came, or came from elsewhere. */
export function isUnsigned(block: Json): boolean {
  if (block.type === 'thinking') return asText(block.signature) === null
  return block.type === 'redacted_thinking' && asText(block.data) === null
}
