/** Highlighted code, of which long ends are folded. */
import type { ComponentChildren, RefObject, VNode } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { Clamp } from './clamp.js'
import { highlight } from './highlight.js'
import './text.css'

interface CodeProps {
  readonly text: string
  /** A language or file extension; empty for plain text. */
  readonly language: string
  /** The number of the first line; without it, lines are not numbered. */
  readonly from?: number
  /** Lines that are shown at first. */
  readonly lines?: number
}

/** A block of code. */
export function Code({ text, language, from, lines }: CodeProps): VNode {
  return (
    <Clamp text={text} lines={lines ?? 40} name="code">
      {shown => <CodeText text={shown} language={language} from={from ?? null} />}
    </Clamp>
  )
}

function CodeText({ text, language, from }: { text: string; language: string; from: number | null }): VNode {
  const pieces = useMemo(() => renderCode(text, firstWord(language)), [text, language])
  const box = useScrollKeys<HTMLDivElement>()
  return (
    <div class={from === null ? 'code' : 'code numbered'} ref={box}>
      {from !== null && (
        <pre class="numbers" aria-hidden="true">
          {numbers(from, text)}
        </pre>
      )}
      <pre>
        <code>{pieces}</code>
      </pre>
    </div>
  )
}

/** A reference for an element that may be wider than the page: where it is, keys can focus and scroll it. */
export function useScrollKeys<T extends HTMLElement>(): RefObject<T | null> {
  const box = useRef<T | null>(null)
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    if (current.scrollWidth > current.clientWidth) current.tabIndex = 0
    else current.removeAttribute('tabindex')
  })
  return box
}

/** Creates nodes only for highlighted parts; the rest is plain text between them. */
function renderCode(text: string, language: string): ComponentChildren[] {
  const nodes: ComponentChildren[] = []
  for (const { text: part, scope } of highlight(text, language)) {
    const last = nodes.length - 1
    const before = nodes[last]
    if (scope !== '') nodes.push(<span class={`h-${scope}`}>{part}</span>)
    else if (typeof before === 'string') nodes[last] = before + part
    else nodes.push(part)
  }
  return nodes
}

/** Fences may say more than the language: `ts title="x"`. */
function firstWord(language: string): string {
  return language.trim().split(/[\s,{]/)[0] ?? ''
}

function numbers(from: number, text: string): string {
  const lines = text.split('\n').length
  return Array.from({ length: lines }, (_, at) => from + at).join('\n')
}
