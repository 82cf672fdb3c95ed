/** HU80: the names, tags and notes that leave with the sessions which they are given to, searched for secrets as these are. */
import { createHash } from 'node:crypto'
import type { Label, Labels } from '@dagline/store'
import type { AllowedSession } from './choose.js'
import { MOST_LABELS } from './protocol.js'
import type { SessionRedactor } from './redact.js'

/** What may leave of the user's labels. */
interface LabelDraft {
  readonly labels: readonly Label[]
  readonly hash: string
  /** What was replaced in them. */
  readonly redactors: readonly SessionRedactor[]
}

/** The labels of the sessions that may leave, in the order of their ids. Sessions that the hub deleted have none. */
export function draftLabels(
  given: Labels,
  allowed: readonly AllowedSession[],
  {
    gone,
    makeRedactor,
  }: { readonly gone: ReadonlySet<string>; readonly makeRedactor: () => SessionRedactor },
): LabelDraft {
  const redactors = new Map<string, SessionRedactor | null>()
  if (given.size > 0)
    for (const { session, isRedacted } of allowed)
      if (session.session !== null && !gone.has(session.session))
        redactors.set(session.session, isRedacted ? makeRedactor() : null)
  const labels = [...given.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(label => {
      const redactor = redactors.get(label.session)
      return redactor === undefined ? [] : [redactor === null ? label : redacted(label, redactor)]
    })
    .slice(0, MOST_LABELS)
  return { labels, hash: hashOf(labels), redactors: [...redactors.values()].filter(each => each !== null) }
}

/** The same for the same labels. */
export function hashOf(labels: readonly Label[]): string {
  return createHash('sha256').update(JSON.stringify(labels)).digest('hex')
}

function redacted(label: Label, redactor: SessionRedactor): Label {
  const { name, tags, note } = label
  const words = Buffer.from(JSON.stringify({ name, tags, note }))
  redactor.learn(words)
  const made = redactor.redact(words)
  return made === words ? label : { ...label, ...JSON.parse(made.toString('utf8')) }
}
