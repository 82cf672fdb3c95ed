import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { temporaryFolder, writeFiles } from '../../test/temporary.js'
import { discover, type FoundFile, type FoundRoot } from './discover.js'

vi.mock('node:fs', async original => {
  const fs = await original<typeof import('node:fs')>()
  return { ...fs, readdirSync: vi.fn(fs.readdirSync) }
})

const isWindows = process.platform === 'win32'
const isLinux = process.platform === 'linux'

const S1 = '11111111-1111-4111-8111-111111111111'
const S2 = '22222222-2222-4222-8222-222222222222'

const EVERY_LAYOUT = {
  [`-home-dev-a/${S1}.jsonl`]: '{}\n',
  [`-home-dev-a/${S1}/subagents/agent-a1.jsonl`]: '{}\n{}\n',
  [`-home-dev-a/${S1}/subagents/agent-a1.meta.json`]:
    '{"agentType":"Explore","toolUseId":"toolu_1","spawnDepth":"2"}',
  [`-home-dev-a/${S1}/subagents/agent-acompact-9f.jsonl`]: '',
  [`-home-dev-a/${S1}/subagents/workflows/wf_1/journal.jsonl`]: '',
  [`-home-dev-a/${S1}/subagents/workflows/wf_1/agent-a2.jsonl`]: '',
  [`-home-dev-a/${S1}/subagents/workflows/wf_1/agent-a2.meta.json`]: 'not JSON',
  [`-home-dev-a/${S1}/workflows/wf_1.json`]: '{}',
  [`-home-dev-a/${S1}/workflows/scripts/lab-wf_1.js`]: '',
  [`-home-dev-a/${S1}/tool-results/b1.txt`]: 'long',
  [`-home-dev-a/${S1}/custom-title.json`]: '{"customTitle":"a title"}',
  [`-home-dev-a/${S1}/archived.json`]: '{"archived":true}',
  [`-home-dev-a/${S1}/extra.jsonl`]: '',
  '-home-dev-a/sessions-index.json': '{}',
  '-home-dev-a/memory/notes.md': '',
  [`-home-dev-b/${S2}.jsonl`]: '',
  '-home-dev-b/agent-0a1b2c3d.jsonl': '',
  '-home-dev-b/any other name.jsonl': '',
  [`-home-dev-c/${S2}/subagents/agent-left.jsonl`]: '',
}

/** One line for each file: kind, path, and what is known from the names. */
function paint(found: FoundRoot | undefined): string {
  const paintFile = (file: FoundFile) => {
    const facts = [`session=${file.session}`, `agent=${file.agent}`, `run=${file.run}`]
    return `  ${file.kind} ${file.path} ${facts.filter(fact => !fact.endsWith('=null')).join(' ')}`.trimEnd()
  }
  const lines = found?.projects.flatMap(project => [
    `${project.name} (${project.path})`,
    ...project.files.map(paintFile),
    ...project.toolResults.map(({ kind, path }) => `  + ${kind} ${path}`),
    ...project.sidecars.map(({ kind, path }) => `  + ${kind} ${path}`),
  ])
  return (lines ?? []).join('\n').replaceAll(S1, 'S1').replaceAll(S2, 'S2')
}

function only(found: readonly FoundRoot[]): FoundRoot {
  const [root] = found
  if (root === undefined || found.length > 1) throw new RangeError(`${found.length} roots, not one`)
  return root
}

function madeTree(): string {
  const root = temporaryFolder()
  writeFiles(root, EVERY_LAYOUT)
  return root
}

function rulesOf(found: FoundRoot): string[] {
  return found.diagnostics.map(({ rule, file }) => `${rule} ${file}`)
}

describe('discover', () => {
  it('[P8] finds every layout under a projects root', () => {
    const found = only(discover([madeTree()]))
    expect(paint(found)).toMatchInlineSnapshot(`
      "-home-dev-a (-home-dev-a)
        session -home-dev-a/S1.jsonl session=S1
        other -home-dev-a/S1/extra.jsonl session=S1
        agent -home-dev-a/S1/subagents/agent-a1.jsonl session=S1 agent=a1
        agent -home-dev-a/S1/subagents/agent-acompact-9f.jsonl session=S1 agent=acompact-9f
        agent -home-dev-a/S1/subagents/workflows/wf_1/agent-a2.jsonl session=S1 agent=a2 run=wf_1
        journal -home-dev-a/S1/subagents/workflows/wf_1/journal.jsonl session=S1 run=wf_1
        + tool-result -home-dev-a/S1/tool-results/b1.txt
        + archived -home-dev-a/S1/archived.json
        + title -home-dev-a/S1/custom-title.json
        + meta -home-dev-a/S1/subagents/agent-a1.meta.json
        + meta -home-dev-a/S1/subagents/workflows/wf_1/agent-a2.meta.json
        + extra -home-dev-a/S1/workflows/scripts/lab-wf_1.js
        + run -home-dev-a/S1/workflows/wf_1.json
      -home-dev-b (-home-dev-b)
        session -home-dev-b/S2.jsonl session=S2
        agent -home-dev-b/agent-0a1b2c3d.jsonl agent=0a1b2c3d
        session -home-dev-b/any other name.jsonl session=any other name
      -home-dev-c (-home-dev-c)
        agent -home-dev-c/S2/subagents/agent-left.jsonl session=S2 agent=left"
    `)
    expect(rulesOf(found)).toEqual([
      `store/odd-sidecar -home-dev-a/${S1}/subagents/workflows/wf_1/agent-a2.meta.json`,
    ])
  })

  it('[P8] reads what sidecars say, leniently', () => {
    const [project] = only(discover([madeTree()])).projects
    const agent = project?.files.find(file => file.agent === 'a1')
    expect(agent?.meta).toMatchObject({
      agentType: 'Explore',
      toolUseId: 'toolu_1',
      spawnDepth: 2,
      description: null,
    })
    expect(agent).toMatchObject({ bytes: 6, mtime: expect.any(Number) })
    expect(project?.files.filter(({ title }) => title != null)).toMatchObject([
      { session: S1, title: 'a title' },
    ])
    expect(project?.archived).toEqual([S1])
  })

  it('[P8] a project folder is its own root', () => {
    const root = madeTree()
    const found = only(discover([join(root, '-home-dev-b')]))
    expect(found.projects.map(project => [project.name, project.path])).toEqual([['-home-dev-b', '']])
    expect(found.projects[0]?.files.map(file => file.path)).toEqual([
      `${S2}.jsonl`,
      'agent-0a1b2c3d.jsonl',
      'any other name.jsonl',
    ])
  })

  it('[P8] a session file brings its own folder and nothing else', () => {
    const root = madeTree()
    const alone = only(discover([join(root, '-home-dev-b', `${S2}.jsonl`)]))
    expect(alone.projects[0]?.files.map(file => file.path)).toEqual([`${S2}.jsonl`])
    const withFolder = only(discover([join(root, '-home-dev-a', `${S1}.jsonl`)]))
    expect(withFolder.projects[0]?.files).toHaveLength(6)
    expect(withFolder.projects[0]?.files.map(({ title }) => title)).toContain('a title')
  })

  it('[P8] a file that is named is a session whatever its name', () => {
    const root = temporaryFolder()
    writeFiles(root, { 'copy.jsonl.bak': '', 'odd.txt': '', 'history.jsonl': '' })
    const found = only(discover(['copy.jsonl.bak', 'odd.txt', 'history.jsonl'].map(name => join(root, name))))
    expect(paint(found).split('\n').slice(1)).toEqual([
      '  session copy.jsonl.bak session=copy.jsonl',
      '  session history.jsonl session=history',
      '  session odd.txt session=odd',
    ])
  })

  it('[P8] the folder of a session, and folders and files in it, know their session', () => {
    const session = join(madeTree(), '-home-dev-a', S1)
    const run = join(session, 'subagents', 'workflows', 'wf_1')
    const sessionsOf = (path: string) =>
      only(discover([path])).projects.flatMap(project => project.files.map(file => [file.session, file.run]))
    expect(sessionsOf(join(session, 'subagents', 'agent-a1.jsonl'))).toEqual([[S1, null]])
    expect(sessionsOf(run)).toEqual([
      [S1, 'wf_1'],
      [S1, 'wf_1'],
    ])
    expect(sessionsOf(join(run, 'agent-a2.jsonl'))).toEqual([[S1, 'wf_1']])
  })

  it('[P8] transcripts are found at any depth, and each folder with some is a project', () => {
    const root = temporaryFolder()
    writeFiles(root, {
      'x/y/projects/-p/s.jsonl': '',
      'x/z/t.jsonl': '',
      'x/z/none.txt': '',
      'node_modules/a/b.jsonl': '',
    })
    const found = only(discover([root]))
    expect(found.projects.map(project => project.path)).toEqual(['x/y/projects/-p', 'x/z'])
  })

  it('[P8] of a configuration folder only the projects are read', () => {
    const root = temporaryFolder()
    writeFiles(root, { 'history.jsonl': '{}', 'todos/x.jsonl': '{}', 'projects/-p/s.jsonl': '{}' })
    const found = only(discover([root]))
    expect(found.root).toBe(join(root, 'projects'))
    expect(found.projects.map(project => project.path)).toEqual(['-p'])
  })

  it('[P8] paths inside one another are read once, files of one folder together', () => {
    const root = madeTree()
    const project = join(root, '-home-dev-b')
    expect(discover([project, root, join(project, `${S2}.jsonl`), root]).map(found => found.root)).toEqual([
      root,
    ])
    const files = [join(project, `${S2}.jsonl`), join(project, 'any other name.jsonl')]
    expect(only(discover([...files, ...files])).projects[0]?.files).toHaveLength(2)
  })

  it.skipIf(isWindows)('[P8] unusual file names are read like others', () => {
    const root = temporaryFolder()
    const names = [
      'with space.jsonl',
      '日本語 😀.jsonl',
      'new\nline.jsonl',
      '.jsonl',
      '-dash.jsonl',
      "quo'te.jsonl",
    ]
    writeFiles(root, Object.fromEntries(names.map(name => [`p/${name}`, ''])))
    const files = only(discover([root])).projects[0]?.files.map(file => file.path)
    expect(files).toEqual(names.map(name => `p/${name}`).sort())
  })

  it.skipIf(isWindows)(
    '[P8] links to files and to folders outside are followed, broken and circular ones are diagnostics',
    () => {
      const outside = temporaryFolder()
      const root = temporaryFolder()
      writeFiles(outside, { 'project/s.jsonl': '', 'project/deep/t.jsonl': '' })
      writeFiles(root, { '-p/real.jsonl': '' })
      symlinkSync(join(outside, 'project'), join(root, 'a-linked'))
      symlinkSync(join(outside, 'project', 'deep'), join(root, 'b-again'))
      symlinkSync(root, join(outside, 'project', 'back'))
      symlinkSync(join(root, '-p'), join(root, '-p', 'loop'))
      symlinkSync('self', join(root, '-p', 'self'))
      symlinkSync(join(root, '-p', 'real.jsonl'), join(root, '-p', 'link.jsonl'))
      symlinkSync(join(root, 'nowhere'), join(root, '-p', 'broken.jsonl'))
      symlinkSync('/', join(root, 'everything'))
      const found = only(discover([root]))
      expect(found.projects.flatMap(project => project.files.map(file => file.path))).toEqual([
        '-p/link.jsonl',
        '-p/real.jsonl',
        'a-linked/s.jsonl',
        'a-linked/deep/t.jsonl',
      ])
      expect(rulesOf(found)).toEqual([
        'store/vanished -p/broken.jsonl',
        'store/linked-twice -p/loop',
        'store/unreadable -p/self',
        'store/linked-twice a-linked/back',
        'store/linked-twice b-again',
        'store/linked-twice everything',
      ])
    },
  )

  it.skipIf(isWindows)('[P8] what is neither file nor folder is not opened', () => {
    const root = temporaryFolder()
    writeFiles(root, { 's.jsonl': '' })
    execFileSync('mkfifo', [join(root, 'pipe.jsonl')])
    const found = only(discover([root]))
    expect(found.projects[0]?.files).toHaveLength(1)
    expect(rulesOf(found)).toEqual(['store/unreadable pipe.jsonl'])
    expect(rulesOf(only(discover([join(root, 'pipe.jsonl')])))).toEqual(['store/unreadable '])
  })

  it('[P8] a folder that may not be read costs only itself', () => {
    const root = madeTree()
    const real = vi.mocked(readdirSync).getMockImplementation() as typeof readdirSync
    vi.mocked(readdirSync).mockImplementation(((path: string, options: never) => {
      if (path.endsWith('-home-dev-a')) throw Object.assign(new Error('no'), { code: 'EACCES' })
      if (path.endsWith('-home-dev-c')) throw Object.assign(new Error('no'), { code: 'ENOENT' })
      return real(path, options)
    }) as never)
    const found = only(discover([root]))
    vi.mocked(readdirSync).mockImplementation(real)
    expect(found.projects.map(project => project.name)).toEqual(['-home-dev-b'])
    expect(rulesOf(found)).toEqual(['store/unreadable -home-dev-a', 'store/vanished -home-dev-c'])
  })

  it.runIf(isLinux)('[P8] a name that is not UTF-8 is a diagnostic', () => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'p'))
    writeFileSync(
      Buffer.concat([Buffer.from(join(root, 'p/')), Buffer.from([0xff]), Buffer.from('.jsonl')]),
      '',
    )
    expect(rulesOf(only(discover([root])))).toEqual(['store/vanished p/\ufffd.jsonl'])
  })

  it('[P8] a path that does not exist is a diagnostic', () => {
    const path = join(temporaryFolder(), 'nowhere')
    expect(discover([path])).toMatchObject([
      { root: path, projects: [], diagnostics: [{ rule: 'store/vanished' }] },
    ])
    expect(discover([])).toEqual([])
  })
})
