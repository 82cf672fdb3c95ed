/** WebFetch and WebSearch. */

import { bytes, plural } from '@dagline/core/format'
import type { ToolCallContent } from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { safeAddress } from '../text/markdown.js'
import { isFields, listAt, numberAt, textAt } from './fields.js'
import { Result, type ToolView } from './view.js'

/** Fetching a page. */
export const webFetch: ToolView = {
  summary: ({ input }) => textAt(input, 'url'),
  outcome: ({ result }) => {
    const size = numberAt(result?.facts, 'bytes')
    const code = numberAt(result?.facts, 'code')
    return [code === null || code === 200 ? '' : `${code}`, size === null ? '' : bytes(size)]
      .filter(Boolean)
      .join(' · ')
  },
  body: call => (
    <>
      <p class="faint">
        <Address address={textAt(call.input, 'url')} />
      </p>
      {textAt(call.input, 'prompt') !== '' && <p class="faint">{textAt(call.input, 'prompt')}</p>}
      <Result call={call} isMarkdown={call.result?.state === 'ok'} />
    </>
  ),
}

/** Searching the web. */
export const webSearch: ToolView = {
  summary: ({ input }) => textAt(input, 'query'),
  outcome: call => (found(call).length > 0 ? plural(found(call).length, 'hit') : ''),
  body: call => (
    <>
      <ol class="hits-list">
        {found(call).map(hit => (
          <li>
            {hit.title} <Address address={hit.url} />
          </li>
        ))}
      </ol>
      {found(call).length === 0 && <Result call={call} />}
    </>
  ),
}

function Address({ address }: { address: string }): VNode {
  const href = safeAddress(address)
  if (href === null) return <span>{address}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  )
}

function found({ result }: ToolCallContent): readonly { readonly title: string; readonly url: string }[] {
  return listAt(result?.facts, 'results')
    .flatMap(part => listAt(part, 'content'))
    .filter(isFields)
    .map(hit => ({ title: textAt(hit, 'title'), url: textAt(hit, 'url') }))
    .filter(hit => hit.url !== '')
}
