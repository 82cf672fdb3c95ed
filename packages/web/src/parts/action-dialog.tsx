/** V26: the dialog of an action: options, a preview, the confirmation, and what was done. */
import { plural, shortId } from '@dagline/core/format'
import type { ActionOutcome, ActionPreview, ActionRequest } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { askAction, asked, closeAction, previewAction, runAction } from '../app/actions.js'
import { errorMessage } from '../app/api.js'
import { sessionPath } from '../app/route.js'
import { ActionForm, hasForm, Tick } from './action-form.js'
import { Choice } from './choice.js'
import { CommandText, CopyIcon } from './copy.js'
import { Dialog } from './dialog.js'
import { Message } from './message.js'

/** The dialog of the action that is asked for; nothing where none is. */
export function ActionDialog(): JSX.Element | null {
  const request = asked.value
  if (request === null) return null
  return (
    <Dialog title={TITLES[request.kind]} onClose={closeAction}>
      <Steps key={JSON.stringify(request)} first={request} />
    </Dialog>
  )
}

const TITLES: Readonly<Record<ActionRequest['kind'], string>> = {
  checkout: 'Check out as a session',
  fork: 'Fork from here',
  pick: 'Pick turns onto the conversation',
  trim: 'Trim a copy',
  split: 'Split before this turn',
  repair: 'Repair',
  restore: 'Restore from the archive',
  archive: 'Archive all sessions',
  undo: 'Undo an edit',
  label: 'Name, tags and note',
}

/** What the button of a preview says. */
const VERBS: Readonly<Record<ActionRequest['kind'], string>> = {
  checkout: 'Write the session',
  fork: 'Write the session',
  pick: 'Write the session',
  trim: 'Write the copy',
  split: 'Write both sessions',
  repair: 'Write the repair',
  restore: 'Restore',
  archive: 'Archive',
  undo: 'Undo',
  label: 'Save',
}

type Step =
  | { readonly kind: 'form' | 'checking' }
  | { readonly kind: 'shown' | 'working'; readonly preview: ActionPreview }
  | { readonly kind: 'done'; readonly outcome: ActionOutcome }
  | { readonly kind: 'failed'; readonly message: string }

function Steps({ first }: { readonly first: ActionRequest }): JSX.Element {
  const [request, setRequest] = useState(first)
  const [step, setStep] = useState<Step>(hasForm(first) ? { kind: 'form' } : { kind: 'checking' })
  const fail = (error: unknown): void => setStep({ kind: 'failed', message: errorMessage(error) })
  const check = (wanted = request): void => {
    setRequest(wanted)
    setStep({ kind: 'checking' })
    previewAction(wanted).then(preview => setStep({ kind: 'shown', preview }), fail)
  }
  const run = (preview: ActionPreview): void => {
    setStep({ kind: 'working', preview })
    runAction(preview.code).then(outcome => setStep({ kind: 'done', outcome }), fail)
  }
  useEffect(() => {
    if (!hasForm(first)) check()
  }, [])
  switch (step.kind) {
    case 'form':
      return <ActionForm request={request} onChange={setRequest} onSubmit={() => check()} />
    case 'checking':
      return <Working label="Checking, nothing is written yet…" />
    case 'shown':
      return (
        <Preview
          request={request}
          preview={step.preview}
          onChange={check}
          onRun={() => run(step.preview)}
          onBack={hasForm(first) ? () => setStep({ kind: 'form' }) : null}
        />
      )
    case 'working':
      return <Working label="Writing and checking…" />
    case 'done':
      return <Done outcome={step.outcome} />
    case 'failed':
      return (
        <Failed message={step.message} onBack={hasForm(first) ? () => setStep({ kind: 'form' }) : null} />
      )
  }
}

function Working({ label }: { readonly label: string }): JSX.Element {
  return (
    <p class="action-working" role="status">
      <progress aria-label={label} /> {label}
    </p>
  )
}

interface PreviewProps {
  readonly request: ActionRequest
  readonly preview: ActionPreview
  /** Previews something else. */
  readonly onChange: (request: ActionRequest) => void
  readonly onRun: () => void
  readonly onBack: (() => void) | null
}

function Preview({ request, preview, onChange, onRun, onBack }: PreviewProps): JSX.Element {
  const [isAccepted, setAccepted] = useState(false)
  const { command, loss } = preview
  return (
    <div class="action">
      {request.kind === 'undo' && <EditList request={request} preview={preview} onChange={onChange} />}
      <Sentences outcome={preview} />
      {loss !== null && (
        <Tick label="Write it, though a resume loads less" isOn={isAccepted} onChange={setAccepted} />
      )}
      <p class="faint">
        The same in a terminal: <CommandText text={command} />
      </p>
      <p class="dialog-buttons">
        <button
          type="button"
          class="button is-primary"
          disabled={loss !== null && !isAccepted}
          onClick={onRun}
        >
          {VERBS[request.kind]}
        </button>
        <Leave onBack={onBack} close="Cancel" />
      </p>
    </div>
  )
}

interface EditListProps {
  readonly request: Extract<ActionRequest, { readonly kind: 'undo' }>
  readonly preview: ActionPreview
  readonly onChange: (request: ActionRequest) => void
}

/** The edits that can be undone; nothing where there is no choice. */
function EditList({ request, preview: { edits }, onChange }: EditListProps): JSX.Element | null {
  if (edits.length < 2) return null
  return (
    <Choice
      label="Edit"
      value={`${request.number ?? edits[0]?.number}`}
      options={edits.map(({ number, text }) => [`${number}`, text] as const)}
      onChange={number => onChange({ kind: 'undo', number: Number(number) })}
    />
  )
}

interface LeaveProps {
  /** Null where there is nothing to go back to. */
  readonly onBack: (() => void) | null
  readonly close: string
}

/** The buttons that leave a step of the dialog without doing anything. */
function Leave({ onBack, close }: LeaveProps): JSX.Element {
  return (
    <>
      {onBack === null ? null : (
        <button type="button" class="button" onClick={onBack}>
          Back
        </button>
      )}
      <button type="button" class="button-quiet" onClick={closeAction}>
        {close}
      </button>
    </>
  )
}

function Sentences({ outcome: { sentences, changes } }: { readonly outcome: ActionOutcome }): JSX.Element {
  return (
    <>
      {sentences.map(sentence => (
        <p key={sentence}>
          <Message text={sentence} />
        </p>
      ))}
      {changes.length === 0 ? null : (
        <ul class="action-changes">
          {changes.map(({ what, count, why }) => (
            <li key={what}>
              <strong>{what}</strong> <span class="quiet">{plural(count, 'row')}</span>: {why.join(' ')}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Done({ outcome }: { readonly outcome: ActionOutcome }): JSX.Element {
  const { sessions, resume, edit } = outcome
  const undo = (): void => askAction.value?.({ kind: 'undo', number: edit })
  return (
    <div class="action" role="status">
      <Sentences outcome={outcome} />
      {sessions.map(session => (
        <p key={session}>
          <a href={sessionPath(session)} onClick={closeAction}>
            Open {shortId(session)}
          </a>
        </p>
      ))}
      {resume === null ? null : (
        <p class="command-text">
          <code>{resume}</code>
          <CopyIcon title="Copy the command that resumes it" text={() => resume} />
        </p>
      )}
      <p class="dialog-buttons">
        <button type="button" class="button is-primary" onClick={closeAction}>
          Close
        </button>
        {edit === null ? null : (
          <button type="button" class="button" onClick={undo}>
            Undo
          </button>
        )}
      </p>
    </div>
  )
}

interface FailedProps {
  readonly message: string
  readonly onBack: (() => void) | null
}

function Failed({ message, onBack }: FailedProps): JSX.Element {
  return (
    <div class="action">
      <p role="alert">
        <Message text={message} />
      </p>
      <p class="dialog-buttons">
        <Leave onBack={onBack} close="Close" />
      </p>
    </div>
  )
}
