/** Who wrote the lines of files: real files, real repositories, and sessions that changed them. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { FileChange } from '@dagline/core/model'
import type { BlamedFile, CommitSessions } from '@dagline/core/protocol'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type Step, steps, type World } from '../../core/test/blame-world.js'
import { type History, openHistory } from '../src/index.js'
import { git, gitAt, SessionWriter, uuidOf } from './blame-sessions.js'
import { ownFolder } from './own-folders.js'

const folder = ownFolder()
const HAND = '-'

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** The prompt of each line; a dash where no call wrote it. */
function promptsIn({ lines, edits }: BlamedFile): readonly string[] {
  return lines.map(line => {
    if (line.origin === 'undecided') return '?'
    const edit = edits[line.edits[0] ?? -1]
    return line.origin === 'outside' ? HAND : (edit?.prompt?.text ?? 'no prompt')
  })
}

describe('a random world on disk', () => {
  it('[Z1] property: names the prompt behind every line that a session wrote, and none for the others', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(steps(true), async plan => {
        const home = join(folder, `world-${run++}`)
        const world = createWorld(plan, false)
        const clock = { now: Date.UTC(2026, 0, 1) }
        const sessions = ['one', 'two'].map(
          name => new SessionWriter(name, { clock, cwd: join(home, 'home/dev/shop') }),
        )
        const at = (path: string): string => join(home, path)
        for (const [nth, { track, change }] of world.events.entries()) {
          const session = sessions[nth % 2]
          session?.prompt(`prompt ${nth}`)
          session?.change(at(track), change)
        }
        for (const session of sessions)
          put(at(`projects/-home-dev-shop/${uuidOf(session.session)}.jsonl`), session.text())
        put(at(world.track), world.lines.map(line => `${line}\n`).join(''))
        // Sessions tell renames by commands; the second checkout is a worktree of the first.
        const last = new SessionWriter('moves', { clock, cwd: home })
        for (const [nth, name] of world.names.entries()) {
          const next = world.names[nth + 1]
          for (const top of next === undefined ? [] : ['shop', 'tree']) {
            const [from, to] = [name, next ?? ''].map(path => at(path.replace('/shop/', `/${top}/`)))
            last.call('Bash', { command: `cd ${home} && git mv ${from} "${to}"` }, {})
          }
        }
        put(at('home/dev/shop/.git/worktrees/tree/gitdir'), at('home/dev/tree/.git'))
        put(at(`projects/-home-dev-shop/${uuidOf('moves')}.jsonl`), last.text())
        const history = openHistory({ roots: [at('projects')], index: at('index.db') })
        const expected = world.lines.map(line => writerOf(world, line))
        expect(promptsIn(await history.blame(at(world.track)))).toEqual(expected)
      }),
      { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 8) },
    )
  })
})

/** A change as a result tells it that does not record the file before it. */
function unrecorded(change: FileChange): FileChange {
  return change.kind === 'write' || change.kind === 'replace' ? { ...change, before: null } : change
}

describe('copies of files that Claude Code keeps for rewinds', () => {
  const copyName = (path: string, version: number): string =>
    `${createHash('sha256').update(path).digest('hex').slice(0, 16)}@v${version}`

  it('[Z8] property: a copy that was made before a call says what the file was, where the call does not', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(steps(true), async plan => {
        const home = join(folder, `copies-${run++}`)
        const world = createWorld(
          plan.filter(({ what }) => what !== 'rename'),
          false,
        )
        const at = (path: string): string => join(home, path)
        const cwd = at('home/dev/shop')
        const session = new SessionWriter('one', { clock: { now: Date.UTC(2026, 0, 1) }, cwd })
        for (const [nth, { track, change }] of world.events.entries()) {
          session.prompt(`prompt ${nth}`)
          const before = 'before' in change ? change.before : null
          const name = copyName(at(track), nth)
          if (before !== null) {
            put(at(`file-history/${uuidOf('one')}/${name}`), before)
            session.atCall = node => session.namesCopy(relative(cwd, at(track)), name, node)
          }
          session.change(at(track), unrecorded(change))
        }
        put(at(`projects/-home-dev-shop/${uuidOf('one')}.jsonl`), session.text())
        put(at(world.track), world.lines.map(line => `${line}\n`).join(''))
        put(at('home/dev/shop/.git/worktrees/tree/gitdir'), at('home/dev/tree/.git'))
        const history = openHistory({ roots: [at('projects')], index: at('index.db') })
        const expected = world.lines.map(line => writerOf(world, line))
        expect(promptsIn(await history.blame(at(world.track)))).toEqual(expected)
      }),
      { numRuns: Number(process.env['DAGLINE_RUNS'] ?? 8) },
    )
  })

  it('[Z8] a copy that was made at a prompt tells what a person had written by then', async () => {
    const home = join(folder, 'copies')
    const path = join(home, 'shop', 'app.ts')
    const session = new SessionWriter('one', {
      clock: { now: Date.UTC(2026, 0, 1) },
      cwd: join(home, 'shop'),
    })
    const keep = (version: number, text: string): void => {
      put(join(home, 'file-history', uuidOf('one'), copyName(path, version)), text)
      session.namesCopy('app.ts', copyName(path, version), null)
    }
    session.prompt('Write it')
    session.change(path, { kind: 'write', content: 'first\n', before: '' })
    keep(2, 'first\ntyped by a person\n')
    session.prompt('Write it again')
    // The result does not say what the file was: the line may be the call's, or have been there.
    session.change(path, { kind: 'write', content: 'first\ntyped by a person\nsecond\n', before: null })
    keep(3, 'first\ntyped by a person\nsecond\n')
    put(path, 'first\ntyped by a person\nsecond\n')
    put(join(home, 'projects', '-shop', `${uuidOf('one')}.jsonl`), session.text())
    const history = openHistory({ roots: [join(home, 'projects')], index: join(home, 'index.db') })
    expect(promptsIn(await history.blame(path))).toEqual(['Write it', HAND, '?'])
  })

  it('[Z8] reads nothing but copies that lie in the folder of the session', async () => {
    const home = join(folder, 'foreign')
    const path = join(home, 'shop', 'app.ts')
    const session = new SessionWriter('one', {
      clock: { now: Date.UTC(2026, 0, 1) },
      cwd: join(home, 'shop'),
    })
    const own = join(home, 'file-history', uuidOf('one'))
    put(join(home, 'secret'), 'wanted\n')
    put(join(own, copyName(path, 1)), 'text\0with a NUL\n')
    symlinkSync(join(home, 'secret'), join(own, copyName(path, 2)))
    mkdirSync(join(own, copyName(path, 3)))
    for (const name of ['../../secret', ...[1, 2, 3, 4].map(version => copyName(path, version))])
      session.namesCopy('app.ts', name, null)
    session.prompt('Write it')
    session.change(path, { kind: 'write', content: 'wanted\n', before: null })
    put(path, 'wanted\n')
    put(join(home, 'projects', '-shop', `${uuidOf('one')}.jsonl`), session.text())
    const history = openHistory({ roots: [join(home, 'projects')], index: join(home, 'index.db') })
    const { lines } = await history.blame(path)
    expect(lines.map(({ origin }) => origin)).toEqual(['undecided'])
  })
})

/** A world in a repository with two checkouts, in which three sessions and a person work in turn, rewind and commit. */
interface RandomRepository {
  readonly world: World
  readonly top: string
  readonly history: History
  /** The file that is asked about. */
  readonly path: string
}

function makeRepository(home: string, plan: readonly Step[], chosen: readonly number[]): RandomRepository {
  const world = createWorld(plan, false)
  const clock = { now: Date.UTC(2026, 0, 1) }
  const [top, tree] = [join(home, 'home/dev/shop'), join(home, 'home/dev/tree')]
  const at = (path: string): string => join(home, path)
  const sessions = ['one', 'two', 'three'].map(name => new SessionWriter(name, { clock, cwd: top }))
  const ends = new Map<SessionWriter, string[]>()
  const pick = (nth: number): number => chosen[nth % chosen.length] ?? 0
  let path = ''
  let event = 0
  for (const [nth, state] of world.states.entries()) {
    for (; event < state.events; event++) {
      const { track, change } = world.events[event] ?? {}
      const session = sessions[pick(event) % sessions.length]
      if (track === undefined || change === undefined || session === undefined) continue
      const known = ends.get(session) ?? []
      // A rewind: what came after an earlier answer is on an abandoned branch, and stays in the file.
      if (pick(event + nth) % 4 === 0 && known.length > 0)
        session.last = known[pick(nth) % known.length] ?? session.last
      session.prompt(`prompt ${event}`)
      session.change(at(track), change)
      ends.set(session, [...known, session.answer('Done.')])
    }
    clock.now += 1000
    const commit = (): void => {
      git(top, 'add', '--all')
      gitAt(clock.now, top, 'commit', '--quiet', '--allow-empty', '-m', `Step ${nth}`)
    }
    if (path === '') git(folder, 'init', '--quiet', top)
    else if (path !== state.path) {
      // Nobody can know a name that was neither committed nor in a command, or whose commit changed most of the file.
      commit()
      git(top, 'mv', at(path), at(state.path))
      commit()
    }
    put(at(state.path), state.lines.map(line => `${line}\n`).join(''))
    if (path === '' || pick(nth) % 3 === 0) commit()
    if (path === '') git(top, 'worktree', 'add', '--quiet', '--detach', tree)
    path = state.path
  }
  for (const session of sessions)
    put(at(`projects/-home-dev-shop/${uuidOf(session.session)}.jsonl`), session.text())
  const history = openHistory({ roots: [at('projects')], index: at('index.db') })
  return { world, top, history, path: at(world.track) }
}

/** Who wrote a line: a prompt, or a person. */
function writerOf({ writers }: World, line: string): string {
  const writer = writers.get(line)
  return typeof writer === 'number' ? `prompt ${writer}` : HAND
}

/** The lines that a commit added, by what git says of it. */
function addedIn(top: string, hash: string): readonly string[] {
  const patch = git(top, 'show', '--first-parent', '-m', '--unified=0', '--format=', '--find-renames', hash)
  return patch.split('\n').flatMap(row => (/^\+(?!\+\+ )/.test(row) ? [row.slice(1)] : []))
}

/** How often each value is there. */
function counted(values: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

describe('a random repository', { timeout: 300_000 }, () => {
  const choices = fc.array(fc.nat(11), { minLength: 1, maxLength: 12 })
  const numRuns = Number(process.env['DAGLINE_RUNS'] ?? 5)
  let run = 0

  it('[Z1] [Z2] [Z5] property: names prompts over commits, renames, rewinds and sessions in turn, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(steps(true), choices, async (plan, chosen) => {
        const { world, history, path } = makeRepository(join(folder, `repository-${run++}`), plan, chosen)
        const expected = world.lines.map(line => writerOf(world, line))
        expect(promptsIn(await history.blame(path))).toEqual(expected)
      }),
      { numRuns },
    )
  })

  it('[Z6] property: names the prompts behind the lines that each commit added, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(steps(true), choices, async (plan, chosen) => {
        const { world, top, history } = makeRepository(join(folder, `repository-${run++}`), plan, chosen)
        const [first = '', ...later] = git(top, 'rev-list', '--reverse', 'HEAD').trim().split('\n')
        const behind = [...(await history.commits(first, { folder: top }))]
        const newest = later.slice(-100)
        if (newest.length > 0) behind.push(...(await history.commits(`${first}..HEAD`, { folder: top })))
        expect(behind).toHaveLength(newest.length + 1)
        for (const { hash, added, outside, undecided, sessions } of behind) {
          const expected = addedIn(top, hash).map(line => writerOf(world, line))
          const prompts = sessions.flatMap(session => session.prompts)
          const found = prompts.map(({ text, lines }) => [text, lines] as const)
          expect({ hash, added, undecided, ...Object.fromEntries(found), [HAND]: outside }).toEqual({
            ...{ hash, added: expected.length, undecided: 0, [HAND]: 0 },
            ...counted(expected),
          })
        }
      }),
      { numRuns },
    )
  })
})

const shop = join(folder, 'shop')
const tree = join(folder, 'tree')
const projects = join(folder, 'projects')

/** A repository with two checkouts, in which people and sessions work in turn. */
function tellStory(): void {
  const clock = { now: Date.now() - 3_600_000 }
  const app = join(shop, 'app.ts')
  const edit = (session: SessionWriter, path: string, old: string, inserted: string): string => {
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, before.replace(old, inserted))
    return session.change(path, {
      kind: 'replace',
      replacements: [{ old, new: inserted, isAll: false }],
      before,
    })
  }
  put(app, 'const hand = 1\n')
  git(folder, 'init', '--quiet', shop)
  git(shop, 'add', '.')
  git(shop, 'commit', '--quiet', '-m', 'By hand')

  const one = new SessionWriter('one', { clock, cwd: shop })
  one.prompt('Add a parser')
  edit(one, app, 'const hand = 1', 'const hand = 1\nconst parser = 2')
  const spawn = one.call(
    'Task',
    { description: 'Add a lexer', prompt: 'Write the lexer', subagent_type: 'coder' },
    { agentId: 'a1b2c3', status: 'completed' },
  )
  const agent = new SessionWriter('one', { clock, cwd: shop, agent: 'a1b2c3' })
  agent.prompt('Write the lexer')
  edit(agent, app, 'const parser = 2', 'const lexer = 3\nconst parser = 2')
  expect(spawn).not.toBe('')
  const kept = one.answer('Done.')

  one.prompt('Try it another way')
  edit(one, app, 'const lexer = 3', 'const lexer = 4 // left')
  one.answer('Tried.')
  // The rewind restores the file.
  writeFileSync(app, readFileSync(app, 'utf8').replace('const lexer = 4 // left', 'const lexer = 3'))
  one.last = kept
  one.prompt('Keep it, and commit')
  git(shop, 'add', '.')
  git(shop, 'commit', '--quiet', '-m', 'Parser and lexer')
  const made = git(shop, 'rev-parse', '--short', 'HEAD').trim()
  one.call(
    'Bash',
    { command: 'git add . && git commit -m "Parser and lexer"' },
    {},
    { content: `[main ${made}] Parser and lexer\n 1 file changed` },
  )
  writeFileSync(app, `${readFileSync(app, 'utf8')}// typed by a person\n`)
  git(shop, 'commit', '--quiet', '-am', 'A remark')

  git(shop, 'worktree', 'add', '--quiet', '-b', 'printer', tree)
  const two = new SessionWriter('two', { clock, cwd: tree })
  two.prompt('Add a printer')
  edit(two, join(tree, 'app.ts'), '// typed by', 'const printer = 5\n// typed by')
  two.call('Edit', { file_path: join(tree, 'app.ts'), old_string: 'x', new_string: 'y' }, 'Error', {
    is_error: true,
  })
  git(tree, 'commit', '--quiet', '-am', 'Printer')
  git(shop, 'merge', '--quiet', 'printer')

  const three = new SessionWriter('three', { clock, cwd: shop })
  three.prompt('Rename the file, then add an end')
  renameSync(app, join(shop, 'main.ts'))
  three.call('Bash', { command: 'git mv app.ts main.ts' }, {})
  edit(three, join(shop, 'main.ts'), 'const printer = 5', 'const printer = 5\nconst end = 6')
  put(join(shop, 'notes.md'), 'no session\n')

  const files: readonly (readonly [string, SessionWriter])[] = [
    ['shop', one],
    ['tree', two],
    ['shop', three],
  ]
  for (const [name, session] of files)
    put(join(projects, `-${name}`, `${uuidOf(session.session)}.jsonl`), session.text())
  put(join(projects, '-shop', uuidOf('one'), 'subagents', 'agent-a1b2c3.jsonl'), agent.text())
  // A resumed copy of the first session repeats its calls.
  const copy = new SessionWriter('copy', { clock, cwd: shop })
  copy.rows.push(...one.rows.slice(0, 3).map(row => ({ ...row, sessionId: uuidOf('copy') })))
  copy.last = String(one.rows[2]?.['uuid'])
  copy.prompt('Go on elsewhere')
  put(join(projects, '-shop', `${uuidOf('copy')}.jsonl`), copy.text())
}

describe('a repository', () => {
  let history: History
  let file: BlamedFile

  beforeAll(async () => {
    tellStory()
    history = openHistory({ roots: [projects], index: join(folder, 'index.db') })
    file = await history.blame(join(shop, 'main.ts'))
  })

  it('[Z5] names prompts over a rename, a worktree, a subagent and a rewind', () => {
    expect(file.lines.map(({ text }) => text)).toEqual([
      'const hand = 1',
      'const lexer = 3',
      'const parser = 2',
      'const printer = 5',
      'const end = 6',
      '// typed by a person',
    ])
    expect(promptsIn(file)).toEqual([
      HAND,
      'Add a parser',
      'Add a parser',
      'Add a printer',
      'Rename the file, then add an end',
      HAND,
    ])
  })

  it('[Z4] names the subagent, the turn, and each call once', () => {
    const [, lexer] = file.lines
    const edit = file.edits[lexer?.edits[0] ?? -1]
    expect(edit?.agent).toEqual({ id: 'a1b2c3', name: 'coder' })
    expect(edit?.session).toBe(uuidOf('one'))
    expect(file.edits.map(({ prompt }) => prompt?.turn)).toEqual([1, 1, 2, 1, 1])
    expect(file.failed).toBe(1)
  })

  it('[Z3] says that a call on an abandoned branch was undone', () => {
    const left = file.edits.find(({ prompt }) => prompt?.text === 'Try it another way')
    expect([left?.fate, left?.status, left?.present]).toEqual(['undone', 'abandoned', 0])
  })

  it('[Z1] names the commit of a line that no call wrote', async () => {
    // The rename is not committed: git knows the lines under the old name only.
    git(shop, 'add', '.')
    git(shop, 'commit', '--quiet', '-m', 'Rename and end')
    const { lines, commits } = await history.blame(join(shop, 'main.ts'))
    const subjects = lines.map(({ commit }) => (commit === null ? null : commits[commit]?.subject))
    expect(subjects).toEqual(['By hand', null, null, null, null, 'A remark'])
  })

  it('[Z1] takes what sessions knew last where the file is gone, and says so for a file that nobody knows', async () => {
    const gone = await history.blame(join(shop, 'app.ts'))
    expect([gone.source, gone.lines.length]).toEqual(['sessions', 3])
    await expect(history.blame(join(shop, 'nothing.ts'))).rejects.toThrow(
      'does not exist, and no session changed it',
    )
    await expect(history.blame(shop)).rejects.toThrow('is not a file')
    expect(promptsIn(await history.blame(join(shop, 'notes.md')))).toEqual([HAND])
  })

  it('[Z5] finds a file by a path through a link', async () => {
    symlinkSync(shop, join(folder, 'link'))
    expect(promptsIn(await history.blame(join(folder, 'link', 'main.ts')))).toEqual(promptsIn(file))
  })

  it('[Z5] finds calls that name the file from the working directory', async () => {
    const own = join(folder, 'relative')
    const clock = { now: Date.now() - 1000 }
    const writer = new SessionWriter('relative', { clock, cwd: join(own, 'src') })
    for (const [nth, path] of ['a.ts', './a.ts', '../src/a.ts'].entries()) {
      const lines = Array.from({ length: nth }, (_, line) => `line ${line}\n`).join('')
      writer.prompt(`prompt ${nth}`)
      writer.change(path, { kind: 'write', content: `${lines}line ${nth}\n`, before: lines })
    }
    // The same name elsewhere is another file.
    const other = new SessionWriter('other', { clock, cwd: join(own, 'lib') })
    other.prompt('Another file')
    other.change('a.ts', { kind: 'write', content: 'line 1\n', before: '' })
    for (const session of [writer, other])
      put(join(own, 'projects', '-own', `${uuidOf(session.session)}.jsonl`), session.text())
    put(join(own, 'src', 'a.ts'), 'line 0\nline 1\nline 2\nby hand\n')
    const known = openHistory({ roots: [join(own, 'projects')], index: join(own, 'index.db') })
    const blamed = await known.blame(join(own, 'src', 'a.ts'))
    expect(promptsIn(blamed)).toEqual(['prompt 0', 'prompt 1', 'prompt 2', HAND])
    expect(blamed.edits).toHaveLength(3)
  })

  it('[Z5] finds the old name of a file that was renamed and not committed yet', async () => {
    const own = join(folder, 'renamed')
    git(folder, 'init', '--quiet', own)
    const writer = new SessionWriter('renamed', { clock: { now: Date.now() - 5000 }, cwd: own })
    writer.prompt('Write it')
    writer.change(join(own, 'old.ts'), { kind: 'write', content: 'written\n', before: '' })
    put(join(own, 'old.ts'), 'written\n')
    git(own, 'add', '.')
    git(own, 'commit', '--quiet', '-m', 'Old')
    git(own, 'mv', 'old.ts', 'new.ts')
    put(join(own, 'projects', '-own', `${uuidOf('renamed')}.jsonl`), writer.text())
    const known = openHistory({ roots: [join(own, 'projects')], index: join(own, 'index.db') })
    expect(promptsIn(await known.blame(join(own, 'new.ts')))).toEqual(['Write it'])
  })

  const behind = async (rev: string): Promise<readonly CommitSessions[]> =>
    await history.commits(rev, { folder: shop })

  it('[Z6] names the sessions whose lines a commit has, and the one that made it', async () => {
    const [[remark], [parser]] = await Promise.all([behind(':/A remark'), behind(':/Parser and lexer')])
    expect([parser?.added, parser?.outside]).toEqual([2, 0])
    expect(
      parser?.sessions.map(({ session, lines, prompts, committed }) => [
        session,
        lines,
        prompts.map(({ text }) => text),
        committed !== null,
      ]),
    ).toEqual([[uuidOf('one'), 2, ['Add a parser', 'Keep it, and commit'], true]])
    expect([remark?.added, remark?.outside, remark?.sessions]).toEqual([1, 1, []])
    const [printer] = await behind(':/^Printer')
    expect(printer?.sessions.map(({ session, lines, committed }) => [session, lines, committed])).toEqual([
      [uuidOf('two'), 1, null],
    ])
  })

  it('[Z7] answers the page only for files that sessions changed in their working directories', async () => {
    const shown = { index: join(folder, 'index.db'), roots: [projects] }
    const { blameShown, commitShown } = await import('../src/blame/worker.js')
    const main = join(shop, 'main.ts')
    expect(promptsIn(await blameShown({ ...shown, file: main }))).toEqual(promptsIn(file))
    // Calls name these, too: a file elsewhere, and one that has become a link to it.
    const secret = join(folder, 'secret.txt')
    put(secret, 'hidden\n')
    const clock = { now: Date.now() - 1000 }
    const writer = new SessionWriter('four', { clock, cwd: shop })
    writer.prompt('Write elsewhere')
    for (const path of [secret, join(shop, 'link.txt')])
      writer.change(path, { kind: 'write', content: 'x', before: '' })
    writer.change(join(shop, 'notes.md'), { kind: 'seen', content: 'no session' })
    put(join(projects, '-shop', `${uuidOf('four')}.jsonl`), writer.text())
    symlinkSync(secret, join(shop, 'link.txt'))
    await history.sync()
    for (const path of [secret, join(shop, 'link.txt'), join(shop, 'notes.md'), 'main.ts', '/etc/hostname'])
      await expect([path, await blameShown({ ...shown, file: path }).catch(String)].join(' ')).toContain(
        'is not a file in the working directory of a session that changed it',
      )
    const hash = git(shop, 'rev-parse', ':/Parser and lexer').trim()
    const [commit] = await commitShown({ ...shown, session: uuidOf('one'), rev: hash.slice(0, 7) })
    expect(commit?.hash).toBe(hash)
    for (const rev of ['HEAD', '--all', 'main..HEAD'])
      await expect(commitShown({ ...shown, session: uuidOf('one'), rev })).rejects.toThrow(
        'is not the hash of a commit',
      )
    await expect(commitShown({ ...shown, session: 'none', rev: hash })).rejects.toThrow('No session')
  })

  it('[Z6] says what is not a commit, or not a repository', async () => {
    await expect(behind('no-such-thing')).rejects.toThrow('This repository has no commit no-such-thing')
    await expect(behind('--output=x')).rejects.toThrow('This repository has no commit')
    await expect(history.commits('HEAD', { folder })).rejects.toThrow('not in a git repository')
    expect((await behind('HEAD~1..HEAD')).map(({ subject }) => subject)).toEqual(['Rename and end'])
  })
})
