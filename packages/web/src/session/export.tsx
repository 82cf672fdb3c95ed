/** R5: a file of the session for others. A dialog says what the file would tell, and lets one choose what is replaced. */
import { bytes, count, plural } from '@dagline/core/format'
import type { ShareFindings } from '@dagline/core/protocol'
import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { errorMessage, getFile, pathWith } from '../app/api.js'
import { Choice } from '../parts/choice.js'
import { Dialog } from '../parts/dialog.js'
import { useLoad } from '../parts/load.js'
import { Failure, Spinner } from '../parts/waiting.js'
import { useView } from './state.js'

/** The button and its dialog. */
export function ExportButton({ session }: { readonly session: string }): VNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Export as one file
      </button>
      {isOpen && (
        <Dialog title="Export as one file" onClose={() => setOpen(false)}>
          <ExportForm session={session} close={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

interface FormProps {
  readonly session: string
  readonly close: () => void
}

function ExportForm({ session, close }: FormProps): VNode {
  const path = `/api/sessions/${encodeURIComponent(session)}/findings`
  const { value, error, reload } = useLoad<ShareFindings>(path)
  if (value !== null) return <Options session={session} close={close} findings={value} />
  if (error !== null) return <Failure error={error} retry={reload} />
  return <Spinner label="Looking for secrets…" />
}

const PERSONAL = ['paths', 'emails', 'names'] as const
type Personal = (typeof PERSONAL)[number]

/** What is replaced and left out. */
interface Chosen {
  readonly secrets: boolean
  readonly personal: ReadonlySet<Personal>
  readonly branch: 'all' | 'live'
  /** The depth of subagents; empty for all. */
  readonly depth: string
}

type Outcome =
  | { readonly kind: 'none' | 'busy' }
  | { readonly kind: 'failed' | 'done'; readonly message: string }

function Options({ session, close, findings }: FormProps & { readonly findings: ShareFindings }): VNode {
  const [chosen, setChosen] = useState<Chosen>(() => safeChoice(findings))
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' })
  const secrets = findings.secrets.reduce((sum, each) => sum + each.count, 0)
  const isOpen = secrets > 0 && !chosen.secrets
  const make = (): void => {
    setOutcome({ kind: 'busy' })
    download(session, chosen).then(
      message => setOutcome({ kind: 'done', message }),
      error => setOutcome({ kind: 'failed', message: errorMessage(error) }),
    )
  }
  return (
    <form
      class="share"
      onSubmit={event => {
        event.preventDefault()
        make()
      }}
    >
      <Findings
        findings={findings}
        chosen={chosen}
        change={part => {
          setChosen({ ...chosen, ...part })
          setOutcome({ kind: 'none' })
        }}
      />
      {outcome.kind !== 'done' && (
        <p class="faint">
          Known kinds are found, unknown ones may remain: look at the file before you share it.
        </p>
      )}
      {outcome.kind === 'failed' && <p role="alert">{outcome.message}</p>}
      {outcome.kind === 'done' && <p role="status">{outcome.message}</p>}
      <p class="dialog-buttons">
        <button
          type="submit"
          class={isOpen ? 'button' : 'button is-primary'}
          disabled={outcome.kind === 'busy'}
        >
          {outcome.kind === 'busy'
            ? 'Exporting…'
            : isOpen
              ? `Export with ${plural(secrets, 'likely secret')}`
              : 'Export'}
        </button>
        <button type="button" class="button-quiet" onClick={close}>
          {outcome.kind === 'done' ? 'Close' : 'Cancel'}
        </button>
      </p>
    </form>
  )
}

/** Everything that was found is replaced. */
function safeChoice(findings: ShareFindings): Chosen {
  const personal = PERSONAL.filter(what => findings[what] > 0)
  return { secrets: true, personal: new Set(personal), branch: 'all', depth: '' }
}

interface FindingsProps {
  readonly findings: ShareFindings
  readonly chosen: Chosen
  readonly change: (part: Partial<Chosen>) => void
}

const PERSONAL_NAMES: Readonly<Record<Personal, readonly [name: string, one: string, more: string]>> = {
  paths: ['Paths', 'user name in a home folder', 'user names in home folders'],
  emails: ['Mail', 'address', 'addresses'],
  names: ['Names', 'name of yours', 'names of yours'],
}

function Findings({ findings, chosen, change }: FindingsProps): VNode {
  const kinds = findings.secrets.map(({ kind, count: found }) => `${count(found)} ${kind}`)
  const toggle = (what: Personal): void => {
    const personal = new Set(chosen.personal)
    if (!personal.delete(what)) personal.add(what)
    change({ personal })
  }
  return (
    <>
      <Replaced
        name="Secrets"
        found={kinds.join(', ')}
        isOn={chosen.secrets}
        onToggle={() => change({ secrets: !chosen.secrets })}
      />
      {PERSONAL.map(what => {
        const [name, one, more] = PERSONAL_NAMES[what]
        return (
          <Replaced
            key={what}
            name={name}
            found={findings[what] === 0 ? '' : plural(findings[what], one, more)}
            isOn={chosen.secrets && chosen.personal.has(what)}
            isDisabled={!chosen.secrets}
            onToggle={() => toggle(what)}
          />
        )
      })}
      <LeftOut chosen={chosen} change={change} />
    </>
  )
}

interface ReplacedProps {
  readonly name: string
  /** What was found; empty for nothing. */
  readonly found: string
  readonly isOn: boolean
  readonly isDisabled?: boolean
  readonly onToggle: () => void
}

/** A line about something that was found, and whether it is replaced. */
function Replaced({ name, found, isOn, isDisabled, onToggle }: ReplacedProps): VNode {
  return (
    <Line name={name}>
      <span>{found === '' ? 'none found' : found}</span>
      {found !== '' && (
        <label>
          <input type="checkbox" checked={isOn} disabled={isDisabled} onChange={onToggle} /> replace
        </label>
      )}
    </Line>
  )
}

function Line({ name, children }: { readonly name: string; readonly children: ComponentChildren }): VNode {
  return (
    <div class="share-line">
      <strong>{name}</strong>
      {children}
    </div>
  )
}

/** The line about branches and subagents, where there are any. */
function LeftOut({ chosen, change }: Omit<FindingsProps, 'findings'>): VNode | null {
  const { sheet, facts } = useView()
  const { agents, abandoned } = facts.totals
  const deepest = Math.max(0, ...sheet.lines.map(({ depth }) => depth))
  if (agents === 0 && abandoned.branches === 0) return null
  const levels = Array.from({ length: Math.max(0, deepest - 1) }, (_, at) => at + 1)
  return (
    <Line name="Contents">
      {abandoned.branches > 0 && (
        <Choice
          label="Branches"
          value={chosen.branch}
          options={[
            ['all', `all (${count(abandoned.branches)} abandoned)`],
            ['live', 'the current one'],
          ]}
          onChange={branch => change({ branch })}
        />
      )}
      {agents > 0 && (
        <Choice
          label="Subagents"
          value={chosen.depth}
          options={[
            ['', `all ${count(agents)}`],
            ...levels.map(level => [`${level}`, `up to ${plural(level, 'level')}`] as const),
            ['0', 'none'],
          ]}
          onChange={depth => change({ depth })}
        />
      )}
    </Line>
  )
}

/** Makes the file and saves it. Returns what was replaced in it, in sentences. */
async function download(session: string, { secrets, personal, branch, depth }: Chosen): Promise<string> {
  const name = `${session}.html`
  const query = { secrets: secrets ? 'redact' : 'allow', also: [...personal].join(), branch, depth }
  const { file, redacted } = await getFile(pathWith(`/api/export/${encodeURIComponent(name)}`, query))
  save(file, name)
  return `Saved ${name}, ${bytes(file.size)}. ${redacted ?? 'Nothing was replaced in it.'}`
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
