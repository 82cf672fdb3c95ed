/** Sessions that change files, as Claude Code records them, and the repositories they work in. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { FileChange } from '@dagline/core/model'

type Row = Readonly<Record<string, unknown>>

/** A uuid that a word stands for. */
export function uuidOf(word: string): string {
  const hex = createHash('sha256').update(word).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

/** The clock of all sessions: each row comes a second after the one before. */
export interface Clock {
  now: number
}

/** A session, or the conversation of a subagent. */
export class SessionWriter {
  readonly rows: Row[] = []
  /** The entry that the next row follows. */
  last: string | null = null

  readonly session: string
  private readonly options: { readonly clock: Clock; readonly cwd: string; readonly agent?: string }

  constructor(session: string, options: SessionWriter['options']) {
    this.session = session
    this.options = options
  }

  private add(word: string, fields: Row): string {
    const { clock, cwd, agent } = this.options
    const uuid = uuidOf(`${this.session} ${agent ?? ''} ${word} ${this.rows.length}`)
    clock.now += 1000
    this.rows.push({
      parentUuid: this.last,
      isSidechain: agent !== undefined,
      ...(agent === undefined ? {} : { agentId: agent }),
      sessionId: uuidOf(this.session),
      cwd,
      version: '2.1.325',
      uuid,
      timestamp: new Date(clock.now).toISOString(),
      ...fields,
    })
    this.last = uuid
    return uuid
  }

  prompt(text: string): string {
    return this.add('prompt', { type: 'user', message: { role: 'user', content: text } })
  }

  answer(text: string): string {
    return this.say({ type: 'text', text })
  }

  private say(block: Row): string {
    const id = `msg_${this.options.agent ?? ''}${this.session}${this.rows.length}`
    const message = { id, role: 'assistant', type: 'message', model: 'claude-opus-4-6', content: [block] }
    return this.add('answer', { type: 'assistant', message })
  }

  /** What is done between the next call and its result. */
  atCall: ((node: string) => void) | null = null

  /** Names a copy of a file that Claude Code made for rewinds: before a call, or at a prompt. */
  namesCopy(path: string, name: string, call: string | null): void {
    const time = new Date(this.options.clock.now + 1).toISOString()
    const backup = { backupFileName: name, version: 1, backupTime: time }
    const at = call ?? uuidOf(`${name} ${time}`)
    this.rows.push(
      call === null
        ? {
            type: 'file-history-snapshot',
            messageId: at,
            snapshot: { messageId: at, trackedFileBackups: { [path]: backup }, timestamp: time },
            isSnapshotUpdate: false,
          }
        : { type: 'file-history-delta', messageId: at, trackingPath: path, backup, timestamp: time },
    )
  }

  /** A call with its result. Returns the entry of the call. */
  call(name: string, input: Row, toolUseResult: unknown, block: Row = {}): string {
    const id = `toolu_${this.options.agent ?? ''}${this.session}${this.rows.length}`
    const node = this.say({ type: 'tool_use', id, name, input })
    this.atCall?.(node)
    this.atCall = null
    const content = [{ type: 'tool_result', tool_use_id: id, content: 'done', ...block }]
    this.add('result', { type: 'user', message: { role: 'user', content }, toolUseResult })
    return node
  }

  /** A change of a file as a tool makes it. */
  change(path: string, change: FileChange): string {
    switch (change.kind) {
      case 'write':
        return this.call(
          'Write',
          { file_path: path, content: change.content },
          { type: 'update', filePath: path, content: change.content, originalFile: change.before },
        )
      case 'seen': {
        const lines = change.content.split('\n').length
        const file = {
          filePath: path,
          content: change.content,
          startLine: 1,
          numLines: lines,
          totalLines: lines,
        }
        return this.call('Read', { file_path: path }, { type: 'text', file })
      }
      case 'replace':
        return this.replace(path, change)
      default:
        return this.call('NotebookEdit', { notebook_path: path, new_source: '' }, {})
    }
  }

  private replace(path: string, { replacements, before }: FileChange & { kind: 'replace' }): string {
    const edits = replacements.map(({ old, new: inserted, isAll }) => ({
      old_string: old,
      new_string: inserted,
      replace_all: isAll,
    }))
    const [only, ...others] = edits
    if (only === undefined || others.length > 0)
      return this.call('MultiEdit', { file_path: path, edits }, { edits, originalFileContents: before })
    const { old_string, new_string, replace_all } = only
    const facts = { filePath: path, oldString: old_string, newString: new_string, replaceAll: replace_all }
    return this.call('Edit', { file_path: path, ...only }, { ...facts, originalFile: before })
  }

  text(): string {
    return this.rows.map(row => `${JSON.stringify(row)}\n`).join('')
  }
}

/** What git prints in a folder. */
export function git(cwd: string, ...args: readonly string[]): string {
  return gitAt(null, cwd, ...args)
}

/** The same at a time, in milliseconds; null for now. */
export function gitAt(time: number | null, cwd: string, ...args: readonly string[]): string {
  const date = time === null ? null : new Date(time).toISOString()
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main']
  return execFileSync('git', [...who, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      ...(date === null ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
    },
  })
}
