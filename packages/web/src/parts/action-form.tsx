/** The options of an action, before its preview. */
import type { ActionRequest } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { closeAction } from '../app/actions.js'
import { Field } from './choice.js'

/** Whether an action has options to choose first. */
export function hasForm({ kind }: ActionRequest): boolean {
  return ['checkout', 'fork', 'pick', 'trim', 'repair', 'label'].includes(kind)
}

interface FormProps {
  readonly request: ActionRequest
  readonly onChange: (request: ActionRequest) => void
  readonly onSubmit: () => void
}

/** The form, with a button that previews. */
export function ActionForm({ request, onChange, onSubmit }: FormProps): JSX.Element {
  return (
    <form
      class="action"
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <p>{ABOUT[request.kind]}</p>
      <Options request={request} onChange={onChange} />
      <p class="dialog-buttons">
        <button type="submit" class="button is-primary">
          Preview
        </button>
        <button type="button" class="button-quiet" onClick={closeAction}>
          Cancel
        </button>
      </p>
    </form>
  )
}

const ABOUT: Readonly<Partial<Record<ActionRequest['kind'], string>>> = {
  checkout:
    'Writes a new session with the conversation up to this point, which Claude Code can resume. The original stays as it is.',
  fork: 'Writes a new session with everything up to this point, its branches included. The original stays as it is.',
  pick: 'Writes a new session with the current conversation and these turns behind it. The original stays as it is.',
  trim: 'Writes a copy of the session without what you choose. The original stays as it is.',
  repair: 'Writes a session that a resume loads completely.',
  label: 'Names, tags and notes are kept outside of the transcripts. A name can be used in every command.',
}

function Options({ request, onChange }: Omit<FormProps, 'onSubmit'>): JSX.Element | null {
  switch (request.kind) {
    case 'checkout':
    case 'fork':
    case 'pick':
      return (
        <Field
          label="Title"
          value={request.title ?? ''}
          placeholder="that of the original"
          onInput={event => onChange({ ...request, title: event.currentTarget.value || null })}
        />
      )
    case 'trim':
      return <TrimOptions request={request} onChange={onChange} />
    case 'repair':
      return (
        <fieldset class="action-options">
          <Tick
            label="Repair the session itself (undo restores it)"
            isOn={request.isInPlace}
            onChange={isInPlace => onChange({ ...request, isInPlace })}
          />
          <Tick
            label="Accept that a resume loads less than today, where no other repair holds"
            isOn={request.acceptsLoss}
            onChange={acceptsLoss => onChange({ ...request, acceptsLoss })}
          />
        </fieldset>
      )
    case 'label':
      return <LabelOptions request={request} onChange={onChange} />
    default:
      return null
  }
}

interface OptionProps<K extends ActionRequest['kind']> {
  readonly request: Extract<ActionRequest, { readonly kind: K }>
  readonly onChange: (request: ActionRequest) => void
}

/** Characters that are left of a result by default. */
const OUTPUTS = 1000

function TrimOptions({ request, onChange }: OptionProps<'trim'>): JSX.Element {
  return (
    <fieldset class="action-options">
      <Tick
        label="Shorten long tool results"
        isOn={request.outputs !== null}
        onChange={isOn => onChange({ ...request, outputs: isOn ? OUTPUTS : null })}
      />
      <Tick
        label="Leave out images"
        isOn={request.images}
        onChange={images => onChange({ ...request, images })}
      />
      <Tick
        label="Leave out thinking"
        isOn={request.thinking}
        onChange={thinking => onChange({ ...request, thinking })}
      />
      <Tick
        label="Leave out progress rows"
        isOn={request.progress}
        onChange={progress => onChange({ ...request, progress })}
      />
    </fieldset>
  )
}

function LabelOptions({ request, onChange }: OptionProps<'label'>): JSX.Element {
  const { name, tags, note } = request
  return (
    <fieldset class="action-options">
      <Field
        label="Name"
        value={name ?? ''}
        onInput={event => onChange({ ...request, name: event.currentTarget.value || null })}
      />
      <Field
        label="Tags"
        value={tags.join(' ')}
        placeholder="separated by spaces"
        onInput={event => onChange({ ...request, tags: wordsIn(event.currentTarget.value) })}
      />
      <Field
        label="Note"
        value={note ?? ''}
        onInput={event => onChange({ ...request, note: event.currentTarget.value || null })}
      />
    </fieldset>
  )
}

function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/).filter(word => word !== '')
}

interface TickProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

/** A box to tick. */
export function Tick({ label, isOn, onChange }: TickProps): JSX.Element {
  return (
    <label class="action-tick">
      <input type="checkbox" checked={isOn} onChange={event => onChange(event.currentTarget.checked)} />{' '}
      {label}
    </label>
  )
}
