/** What came back from a tool, where nothing better is known about it. */
import type { ImageContent, ToolCallContent } from '@dagline/core'
import type { ComponentChildren, VNode } from 'preact'
import { Output } from '../text/ansi.js'
import { countLines } from '../text/clamp.js'
import { Code } from '../text/code.js'
import { Cut } from '../text/cut.js'
import { prettyJson } from './fields.js'

/** The result's text, pictures, and where it went if it was too large. */
export function Result({ call, lines }: { call: ToolCallContent; lines?: number }): VNode | null {
  const { result } = call
  if (result === null) return <p class="faint">{missingResult(call)}</p>
  return (
    <>
      {result.spilled !== null && <p class="faint">Too large for the transcript; kept in {result.spilled}</p>}
      {result.text.text !== '' && (
        <Cut text={result.text} node={result.node} block={call.id}>
          {text => <ResultText text={text} lines={lines ?? 20} />}
        </Cut>
      )}
      {result.images.map(image => (
        <Picture image={image} />
      ))}
    </>
  )
}

/** What is said where a call has no result in it. */
export function missingResult({ late }: ToolCallContent): string {
  return late === undefined ? 'No result was recorded.' : 'The result came later: it stands below.'
}

function ResultText({ text, lines }: { text: string; lines: number }): VNode {
  const json = prettyJson(text)
  return json === null ? (
    <Output text={text} lines={lines} />
  ) : (
    <Code text={json} language="json" lines={lines} />
  )
}

const PICTURES = /^image\/(png|jpeg|gif|webp|avif)$/

/** A picture. Drawings that could hold scripts are not shown. */
export function Picture({ image }: { image: ImageContent }): VNode {
  if (!PICTURES.test(image.media)) return <p class="faint">A picture of type {image.media} is not shown.</p>
  const source = 'data' in image ? `data:${image.media};base64,${image.data}` : image.href
  return <img class="picture" src={source} alt="Recorded in the transcript" loading="lazy" decoding="async" />
}

export interface ToolView {
  /** Its name on the page, where that is not the recorded one. */
  readonly title?: (call: ToolCallContent) => string
  /** What it was asked to do, in one line. */
  readonly summary: (call: ToolCallContent) => string
  /** What came of it, in a word or two. */
  readonly outcome?: (call: ToolCallContent) => string
  /** About how many lines the body takes: a short one is open from the start. Left out, none is. */
  readonly lines?: (call: ToolCallContent) => number
  readonly body: (call: ToolCallContent) => ComponentChildren
}

/** Lines of the result's text. */
export function resultLines(call: ToolCallContent): number {
  return countLines(call.result?.text.text ?? '')
}
