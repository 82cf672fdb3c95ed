/** The demo of the documentation: transcripts that are dropped are drawn in the page, and sent nowhere. */
import { bytes, plural } from '@dagline/core/format'
import { type GivenFile, openFiles } from '@dagline/core/open'
import { type ComponentChildren, render, type VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import './style/demo.css'
import { startTheme } from './app/theme.js'
import { filesChosen, filesDropped } from './demo/drop.js'
import { type OpenedSession, openedSource, sessionsOf } from './demo/source.js'
import { FilePage } from './file-page.js'

/** What the page shows. */
type Stage =
  | { readonly kind: 'start'; readonly problem: string | null }
  | { readonly kind: 'reading'; readonly read: number; readonly total: number }
  | { readonly kind: 'shown'; readonly sessions: readonly OpenedSession[] }

function Demo(): VNode {
  const [stage, setStage] = useState<Stage>({ kind: 'start', problem: null })
  const open = async (given: Promise<readonly GivenFile[]>): Promise<void> => {
    setStage({ kind: 'reading', read: 0, total: 0 })
    setStage(await readFiles(given, (read, total) => setStage({ kind: 'reading', read, total })))
  }
  useDrop(data => open(filesDropped(data)))
  switch (stage.kind) {
    case 'start':
      return <Start problem={stage.problem} onFiles={files => open(Promise.resolve(files))} />
    case 'reading':
      return (
        <Frame>
          <p role="status">
            Reading: {bytes(stage.read)} of {bytes(stage.total)}
          </p>
        </Frame>
      )
    case 'shown':
      return <Shown sessions={stage.sessions} onClose={() => setStage({ kind: 'start', problem: null })} />
  }
}

const NOTHING =
  'These files have no session of Claude Code. Transcripts are .jsonl files below ~/.claude/projects.'

async function readFiles(
  given: Promise<readonly GivenFile[]>,
  onProgress: (read: number, total: number) => void,
): Promise<Stage> {
  try {
    const sessions = sessionsOf(await openFiles(await given, { onProgress }))
    history.replaceState(null, '', location.pathname + location.search)
    return sessions.length === 0 ? { kind: 'start', problem: NOTHING } : { kind: 'shown', sessions }
  } catch (error) {
    return {
      kind: 'start',
      problem: `The files could not be read: ${error instanceof Error ? error.message : error}`,
    }
  }
}

/** Takes what is dropped anywhere on the page. */
function useDrop(take: (data: DataTransfer) => void): void {
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    const over = (event: DragEvent): void => event.preventDefault()
    const drop = (event: DragEvent): void => {
      event.preventDefault()
      if (event.dataTransfer !== null) latest.current(event.dataTransfer)
    }
    document.addEventListener('dragover', over)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('drop', drop)
    }
  }, [])
}

interface StartProps {
  readonly problem: string | null
  readonly onFiles: (files: readonly GivenFile[]) => void
}

function Start({ problem, onFiles }: StartProps): VNode {
  return (
    <Frame>
      <p>
        Drop transcripts on this page: <code>.jsonl</code> files, a project folder, or all of{' '}
        <code>~/.claude/projects</code>. The conversation is rebuilt and drawn here. Nothing is sent: the page
        may open no connection.
      </p>
      {problem !== null && (
        <p class="demo-problem" role="alert">
          {problem}
        </p>
      )}
      <div class="demo-choices">
        <Choose label="Choose files" onFiles={onFiles} />
        <Choose label="Choose a folder" isFolder onFiles={onFiles} />
        <button type="button" class="button is-primary" onClick={() => onFiles(sampleFiles())}>
          Try a sample
        </button>
      </div>
      <div class="demo-drop">Drop files or a folder here</div>
    </Frame>
  )
}

interface ChooseProps {
  readonly label: string
  readonly isFolder?: boolean
  readonly onFiles: (files: readonly GivenFile[]) => void
}

/** A button in front of a file input, which looks different in every browser. */
function Choose({ label, isFolder = false, onFiles }: ChooseProps): VNode {
  const input = useRef<HTMLInputElement>(null)
  // No attribute that Preact knows.
  useEffect(() => {
    if (input.current !== null) input.current.webkitdirectory = isFolder
  }, [isFolder])
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={event => onFiles(filesChosen(event.currentTarget.files ?? []))}
      />
      <button type="button" class="button" onClick={() => input.current?.click()}>
        {label}
      </button>
    </>
  )
}

function Frame({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <main class="demo">
      <p>
        <a href="index.html">dagline</a>
      </p>
      <h1>Your transcripts, drawn in this page</h1>
      {children}
    </main>
  )
}

interface ShownProps {
  readonly sessions: readonly OpenedSession[]
  readonly onClose: () => void
}

function Shown({ sessions, onClose }: ShownProps): VNode {
  const sourceOf = useMemo(() => (number: number) => openedSource(sessions, number), [sessions])
  return (
    <FilePage sessions={sessions} sourceOf={sourceOf}>
      <p class="demo-back">
        <a href="index.html">dagline</a> · {plural(sessions.length, 'session')} read in this page{' '}
        <button type="button" class="plain-button" onClick={onClose}>
          Open others
        </button>
      </p>
    </FilePage>
  )
}

/** The samples in the page. */
function sampleFiles(): readonly GivenFile[] {
  const files: readonly { readonly path: string; readonly text: string }[] = JSON.parse(
    document.getElementById('sample')?.textContent ?? '[]',
  )
  return files.map(({ path, text }) => ({ path, bytes: new TextEncoder().encode(text) }))
}

const page = document.getElementById('page')
startTheme()
if (page !== null) render(<Demo />, page)
