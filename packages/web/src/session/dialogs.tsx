/** Dialogs about a row: why it is where it is, and its record. */
import type { Why } from '@dagline/core'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { Failure, Spinner } from '../parts/waiting.js'
import { Code } from '../text/code.js'
import { prettyJson } from '../tools/fields.js'
import { useSession } from './context.js'

/** The dialog that is open, if one is. */
export function RowDialogs(): VNode | null {
  const { dialog, source } = useSession()
  const open = dialog.value
  if (open === null) return null
  const close = (): void => {
    dialog.value = null
  }
  const isWhy = open.kind === 'why'
  return (
    <Dialog title={isWhy ? 'Why it is here' : 'Record in the file'} onClose={close}>
      {isWhy
        ? source.why !== null && (
            <Asked ask={source.why} node={open.node} show={why => <WhyText why={why} />} />
          )
        : source.raw !== null && (
            <Asked ask={source.raw} node={open.node} show={text => <RawText text={text} />} />
          )}
    </Dialog>
  )
}

interface AskedProps<T> {
  readonly ask: (node: string) => Promise<T>
  readonly node: string
  readonly show: (answer: T) => VNode
}

function Asked<T>({ ask, node, show }: AskedProps<T>): VNode {
  const [answer, setAnswer] = useState<{ readonly value: T } | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    ask(node).then(value => setAnswer({ value }), setFailure)
  }, [ask, node])
  if (failure !== null) return <Failure error={failure} />
  return answer === null ? <Spinner /> : show(answer.value)
}

function WhyText({ why }: { why: Why }): VNode {
  return (
    <div class="why">
      <p>
        <strong>{why.live ? 'Live' : 'Not live'}</strong>
        {why.live ? ': the next request carries it.' : ': the next request does not carry it.'}
      </p>
      <dl>
        {why.because.map(({ rule, evidence }) => (
          <>
            <dt>{rule}</dt>
            <dd>{evidence}</dd>
          </>
        ))}
      </dl>
      <p class="faint">
        {why.file}, row {why.row}
      </p>
    </div>
  )
}

function RawText({ text }: { text: string }): VNode {
  return (
    <div class="raw">
      <Code text={prettyJson(text) ?? text} language="json" lines={400} />
    </div>
  )
}
