/** HU60, HU62: on a hub: whose the session is, who may see it, and how one continues it at home. */
import { plural } from '@dagline/core/format'
import { shellWord } from '@dagline/core/model'
import type { HubReaders, HubSession } from '@dagline/core/protocol'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { errorMessage, post } from '../app/api.js'
import { me } from '../app/hub.js'
import { useChanges } from '../app/live.js'
import { typist, YOU } from '../app/typist.js'
import { CopyButton } from '../parts/copy.js'
import { Dialog } from '../parts/dialog.js'
import { useLoad } from '../parts/load.js'

/** The line in the head of a session. */
export function TeamLine({ session }: { readonly session: string }): VNode | null {
  const { value, reload } = useLoad<HubSession>(`/api/hub/sessions/${encodeURIComponent(session)}`)
  const [isOpen, setOpen] = useState(false)
  useChanges(sessions => {
    if (sessions.length === 0 || sessions.includes(session)) reload()
  })
  useEffect(() => {
    typist.value = value === null || value.isOwn ? YOU : value.owner.name
    return () => {
      typist.value = YOU
    }
  }, [value])
  if (value === null) return null
  const { owner, machine, isOwn, readers } = value
  const isPrivate = readers !== null && !readers.everyone && readers.persons.length === 0
  return (
    <p class="session-team">
      <span>
        {isOwn ? 'Yours' : `Of ${owner.name}`}, pushed from {machine}.{' '}
        {readers === null ? null : readersText(readers)}
      </span>
      {isOwn && (value.mayShare || !isPrivate) && (
        <button type="button" onClick={() => setOpen(true)}>
          {value.mayShare ? 'Share…' : 'Hide…'}
        </button>
      )}
      <CopyButton
        label="Copy checkout command"
        title="Run it on your machine: it makes a session of your own that continues this one"
        text={() => checkoutCommand(value)}
      />
      {isOpen && (
        <Dialog title="Who may see this session" onClose={() => setOpen(false)}>
          <ShareForm
            about={value}
            close={() => {
              setOpen(false)
              reload()
            }}
          />
        </Dialog>
      )}
    </p>
  )
}

/** The shell command that makes a session of one's own from one of the hub. */
function checkoutCommand({ session, hub }: HubSession): string {
  return `dagline checkout ${shellWord(session)} --hub ${shellWord(hub)}`
}

function readersText({ by, everyone, persons }: HubReaders): string {
  const why = by === 'policy' ? ', as its project says' : ''
  if (everyone) return `Everyone in the team sees it${why}.`
  if (persons.length === 0) return 'Only you see it.'
  const names = persons.length > 3 ? plural(persons.length, 'person', 'persons') : persons.join(', ')
  return `${names} and you see it.`
}

type Who = 'nobody' | 'persons' | 'everyone'

interface FormProps {
  readonly about: HubSession
  readonly close: () => void
}

function ShareForm({ about, close }: FormProps): VNode {
  const { session, readers, mayShare } = about
  const [who, setWho] = useState<Who>(() => (mayShare ? whoIn(readers) : 'nobody'))
  const [names, setNames] = useState(() => readers?.persons.join(', ') ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const persons = names.split(/[,\s]+/).filter(name => name !== '')
  const save = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await post('/api/hub/do', operationOf(session, who, persons))
      close()
    } catch (error) {
      setProblem(errorMessage(error))
      setBusy(false)
    }
  }
  return (
    <form
      class="share"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <Choices who={who} mayShare={mayShare} onChange={setWho}>
        <input
          class="field"
          aria-label="Names of persons"
          placeholder="Names, separated by commas"
          list="hub-persons"
          autocomplete="off"
          spellcheck={false}
          value={names}
          disabled={!mayShare}
          onFocus={() => setWho('persons')}
          onInput={event => setNames(event.currentTarget.value)}
        />
      </Choices>
      <datalist id="hub-persons">
        {me.value?.persons.map(({ id, name }) =>
          id === me.value?.person ? null : <option key={id} value={name} />,
        )}
      </datalist>
      {mayShare ? (
        <p class="faint">Each time somebody else opens it, the audit log records it.</p>
      ) : (
        <p class="faint">This login is read-only: it can hide the session, but not share it.</p>
      )}
      {problem === null ? null : <p role="alert">{problem}</p>}
      <p class="dialog-buttons">
        <button
          type="submit"
          class="button is-primary"
          disabled={isBusy || (who === 'persons' && persons.length === 0)}
        >
          {isBusy ? 'Saving…' : 'Save'}
        </button>
        <button type="button" class="button-quiet" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  )
}

function whoIn(readers: HubReaders | null): Who {
  if (readers?.everyone === true) return 'everyone'
  return (readers?.persons.length ?? 0) > 0 ? 'persons' : 'nobody'
}

function operationOf(session: string, who: Who, persons: readonly string[]): object {
  if (who === 'nobody') return { kind: 'unshare', session }
  return who === 'everyone' ? { kind: 'share', session, everyone: true } : { kind: 'share', session, persons }
}

interface ChoicesProps {
  readonly who: Who
  readonly mayShare: boolean
  readonly onChange: (who: Who) => void
  /** The field for names. */
  readonly children: ComponentChildren
}

const WHO: readonly (readonly [Who, string])[] = [
  ['nobody', 'Only you'],
  ['persons', 'You and these persons'],
  ['everyone', 'Everyone in the team'],
]

function Choices({ who, mayShare, onChange, children }: ChoicesProps): VNode {
  return (
    <fieldset class="share-who" aria-label="Who may see it">
      {WHO.map(([each, name]) => (
        <div key={each}>
          <label>
            <input
              type="radio"
              name="who"
              checked={who === each}
              disabled={!mayShare && each !== 'nobody'}
              onChange={() => onChange(each)}
            />{' '}
            {name}
          </label>
          {each === 'persons' ? children : null}
        </div>
      ))}
    </fieldset>
  )
}
