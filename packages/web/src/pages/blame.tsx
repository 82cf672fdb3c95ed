/** The blame page: a file, and the prompts that wrote its lines. */

import {
  absentEdits,
  describeFate,
  describeLine,
  describeOrigins,
  describeSource,
  isAbandonedEdit,
} from '@dagline/core/blame'
import { shortId } from '@dagline/core/format'
import type { BlamedCommit, BlamedEdit, BlamedFile, BlamedLine } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { pathWith } from '../app/api.js'
import { route, sessionPath, useTitle } from '../app/route.js'
import { Badge, When } from '../parts/figures.js'
import { useLoad } from '../parts/load.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import { Code } from '../text/code.js'
import { languageOf } from '../text/highlight.js'
import './blame.css'

/** The page of a file: `?file=PATH`. */
export function BlamePage(): JSX.Element {
  const file = route.value.query.get('file') ?? ''
  useTitle(`Blame ${nameOf(file)}`)
  const { value, error, reload } = useLoad<BlamedFile>(file === '' ? null : pathWith('/api/blame', { file }))
  if (file === '')
    return (
      <Empty isPage title="No file">
        <p>Open a session, and choose Blame beside a call that changed a file.</p>
        <p>
          <a href="/">All sessions</a>
        </p>
      </Empty>
    )
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  return (
    <div class="report is-wide blame">
      <header class="report-head">
        <h1>{nameOf(value.path)}</h1>
        <p>
          <code>{value.path}</code>
        </p>
        <p>{[describeSource(value) ?? '', `${describeOrigins(value)}.`].join(' ')}</p>
      </header>
      <div class="report-body">
        <section aria-label="Lines">
          {blocksOf(value.lines).map(block => (
            <BlockView key={block[0]?.line} block={block} file={value} />
          ))}
        </section>
        <Absent edits={value.edits} />
      </div>
    </div>
  )
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

type Block = readonly BlamedLine[]

/** Lines that follow each other and have the same origin. */
function blocksOf(lines: readonly BlamedLine[]): readonly Block[] {
  const blocks: BlamedLine[][] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    if (last?.[0] !== undefined && originOf(last[0]) === originOf(line)) last.push(line)
    else blocks.push([line])
  }
  return blocks
}

function originOf({ origin, edits, evidence, commit, after }: BlamedLine): string {
  return [origin, edits, evidence, commit, after].join(' ')
}

function BlockView({
  block,
  file,
}: {
  readonly block: Block
  readonly file: BlamedFile
}): JSX.Element | null {
  const [first] = block
  if (first === undefined) return null
  return (
    <div class={`blame-block is-${first.origin}`}>
      <div class="blame-source" title={describeLine(first, file)}>
        <SourceOf line={first} file={file} />
      </div>
      <Code
        text={block.map(({ text }) => text).join('\n')}
        language={languageOf(file.path)}
        from={first.line}
        lines={200}
      />
    </div>
  )
}

function SourceOf({ line, file }: { readonly line: BlamedLine; readonly file: BlamedFile }): JSX.Element {
  const edits = line.edits.flatMap(nth => file.edits[nth] ?? [])
  const [first] = edits
  if (line.origin === 'undecided')
    return (
      <>
        <span>Undecided</span>
        <span class="faint">{describeLine(line, file)}</span>
        {edits.map(edit => (
          <EditLink key={edit.node} edit={edit} />
        ))}
      </>
    )
  if (first === undefined)
    return <CommitName commit={line.commit === null ? null : (file.commits[line.commit] ?? null)} />
  return <EditLink edit={first} />
}

function CommitName({ commit }: { readonly commit: BlamedCommit | null }): JSX.Element {
  if (commit === null) return <span class="faint">No session</span>
  return (
    <>
      <span class="faint">No session</span>
      <span class="faint">
        commit {shortId(commit.hash)} {commit.subject}
      </span>
    </>
  )
}

/** The prompt behind a call, as a link to the call. */
function EditLink({ edit }: { readonly edit: BlamedEdit }): JSX.Element {
  const { session, node, prompt, agent, status, time } = edit
  return (
    <>
      <a class="blame-prompt" href={sessionPath(session, node)}>
        {prompt?.text || edit.tool}
      </a>
      <span class="faint">
        {prompt === null ? null : `turn ${prompt.turn} · `}
        <When time={time} />
      </span>
      {agent === null ? null : <Badge tone="agent">{agent.name}</Badge>}
      {isAbandonedEdit(edit) ? <Badge tone="warn">{status}</Badge> : null}
    </>
  )
}

/** Calls whose lines are not in the file, with the reason. */
function Absent({ edits }: { readonly edits: readonly BlamedEdit[] }): JSX.Element | null {
  const absent = absentEdits(edits)
  if (absent.length === 0) return null
  return (
    <section class="panel">
      <h2>Not in the file</h2>
      <ul class="blame-absent">
        {absent.map(edit => (
          <li key={edit.node}>
            <EditLink edit={edit} />
            <span class="faint">{describeFate(edit)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
