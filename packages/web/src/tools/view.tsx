/** How a tool is shown: one line for what it did, a body below it, and the default view of its result. */
import type { ImageContent, ToolCallContent } from '@dagline/core/protocol'
import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { Output } from '../text/ansi.js'
import { countLines } from '../text/clamp.js'
import { Code } from '../text/code.js'
import { Cut } from '../text/cut.js'
import { Markdown } from '../text/markdown.js'
import { prettyJson } from './fields.js'

/** The text and images of a result, and where it is stored if it was too large. */
export function Result({ call, isMarkdown }: { call: ToolCallContent; isMarkdown?: boolean }): VNode | null {
  const { result, late } = call
  if (result === null) {
    const text = late === undefined ? 'No result was recorded.' : 'The result came later and is shown below.'
    return <p class="faint">{text}</p>
  }
  return (
    <>
      {result.spilled !== null && (
        <p class="faint">Too large for the transcript; stored in {result.spilled}</p>
      )}
      {result.text.text.trim() === '' && result.images.length === 0 && result.spilled === null && (
        <p class="faint">No output.</p>
      )}
      {result.text.text.trim() !== '' && (
        <Cut text={result.text} node={result.node} block={call.id}>
          {text => (isMarkdown ? <Markdown text={text} /> : <ResultText text={text} />)}
        </Cut>
      )}
      {result.images.map(image => (
        <Picture image={image} />
      ))}
    </>
  )
}

function ResultText({ text }: { text: string }): VNode {
  const json = prettyJson(text)
  return json === null ? <Output text={text} /> : <Code text={json} language="json" lines={20} />
}

const PICTURES = /^image\/(png|jpeg|gif|webp|avif)$/

/** An image. Types that can contain scripts are not shown. */
export function Picture({ image }: { image: ImageContent }): VNode {
  if (!PICTURES.test(image.media)) return <p class="faint">Images of type {image.media} are not shown.</p>
  const source = 'data' in image ? `data:${image.media};base64,${image.data}` : image.href
  return <Enlargeable source={source} />
}

/** An image that a click shows in its own size. */
function Enlargeable({ source }: { source: string }): VNode {
  const [isLarge, setLarge] = useState(false)
  return (
    <>
      <button
        type="button"
        class="picture-button"
        title="Enlarge"
        aria-label="Enlarge"
        onClick={() => setLarge(true)}
      >
        <img class="picture" src={source} alt="From the transcript" loading="lazy" decoding="async" />
      </button>
      {isLarge && (
        <Dialog title="Image" onClose={() => setLarge(false)} isWide>
          <div class="picture-large">
            <img src={source} alt="From the transcript, enlarged" />
          </div>
        </Dialog>
      )}
    </>
  )
}

/** A text to copy, and what it is called. */
export interface Copied {
  readonly name: string
  readonly text: string
}

export interface ToolView {
  /** The name on the page, where it differs from that of the tool. */
  readonly title?: (call: ToolCallContent) => string
  /** The input in one line. */
  readonly summary: (call: ToolCallContent) => string
  /** What the button beside the line copies. */
  readonly copied?: (call: ToolCallContent) => Copied
  /** The outcome in a word or two. */
  readonly outcome?: (call: ToolCallContent) => string
  /** The approximate number of lines of the body. Short bodies are open by default; without this, none is. */
  readonly lines?: (call: ToolCallContent) => number
  readonly body: (call: ToolCallContent) => ComponentChildren
}

/** The number of lines of the result. */
export function resultLines(call: ToolCallContent): number {
  return countLines(call.result?.text.text ?? '')
}
