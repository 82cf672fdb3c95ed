import { mkdirSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { projectFolder } from '@dagline/core/model'
import { expandShape, inProject, type TestHome, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { type Host, silentHost } from '../host/host.js'
import { findOneProject, findScope, scopeHere } from './project.js'
import { findSession, sortWords } from './session.js'

/** Transcripts of projects, each with one session of the folder's number. */
function transcripts(folders: readonly string[]): ReturnType<typeof inProject> {
  return folders.flatMap((folder, nth) =>
    inProject(expandShape(`s${nth}: u1@+${nth}m a1`).files, folder).map(({ path, text }) => ({ path, text })),
  )
}

/** A home with a repository, a worktree of it, and projects in some of its folders. */
async function withProjects<T>(
  places: (home: string) => readonly string[],
  use: (home: TestHome, hostAt: (here: string | null) => Host) => T,
): Promise<T> {
  return await withHome([], async home => {
    const folders = places(home.dir)
    for (const { path, text } of transcripts(folders)) {
      mkdirSync(join(home.projects, path, '..'), { recursive: true })
      writeFileSync(join(home.projects, path), text)
    }
    return use(home, here => ({ ...silentHost([home.projects]), here }))
  })
}

/** A repository with one worktree, as git writes them. */
function addRepository(dir: string): { readonly main: string; readonly tree: string } {
  const [main, tree] = [join(dir, 'shop'), join(dir, 'shop-fix')]
  const own = join(main, '.git', 'worktrees', 'shop-fix')
  mkdirSync(own, { recursive: true })
  mkdirSync(join(main, 'src'), { recursive: true })
  mkdirSync(tree, { recursive: true })
  writeFileSync(join(tree, '.git'), `gitdir: ${own}\n`)
  writeFileSync(join(own, 'commondir'), '../..\n')
  writeFileSync(join(own, 'gitdir'), `${join(tree, '.git')}\n`)
  return { main, tree }
}

/** The top of the file system, as a process in a container has it for its working directory. */
const TOP = parse(process.cwd()).root

const names = (scope: { readonly names: ReadonlySet<string> } | null): readonly string[] => [
  ...(scope?.names ?? []),
]

describe('a project', () => {
  const PLACES = ['-home-dev-shop', '-home-dev-shop-admin', 'copied__site', '-home-dev-notes']

  it('[U1] is found by the name of its folder, its path, or a part of either', async () => {
    await withProjects(
      () => PLACES,
      (home, hostAt) => {
        const host = hostAt(null)
        const scope = (word: string): readonly string[] => names(findScope(word, host))
        expect(scope('-home-dev-shop')).toEqual(['-home-dev-shop'])
        expect(scope('/home/dev/shop')).toEqual(['-home-dev-shop'])
        expect(scope('SHOP')).toEqual(['-home-dev-shop', '-home-dev-shop-admin'])
        expect(scope('copied')).toEqual(['copied__site'])
        expect(scope(join(home.projects, 'copied__site'))).toEqual(['copied__site'])
        // Rows of the shapes name /home/dev/proj.
        expect(scope('dev/proj')).toHaveLength(4)
        // The top of the file system is nobody's project, but a part of every path.
        expect(scope(TOP)).toHaveLength(4)
        expect(() => scope('nosuch')).toThrow(/^No project matches nosuch\. Run /)
        expect(() => scope('')).toThrow(/^No project matches ""/)
        expect(() => findOneProject('shop', host)).toThrow(/^2 projects match shop: .* Give more of the name/)
      },
    )
  })

  it('[U1] is told from sessions and other folders', async () => {
    await withProjects(
      () => PLACES,
      (home, hostAt) => {
        const words = ['notes', 's1', home.config, '/home/dev/shop-admin', 'nosuch']
        const { scope, folders, sessions } = sortWords(words, hostAt(null))
        expect(names(scope)).toEqual(['-home-dev-notes', '-home-dev-shop-admin'])
        expect([folders, sessions]).toEqual([[home.config], ['s1', 'nosuch']])
      },
    )
  })
})

describe('the project here', () => {
  it('[U2] is that of the working directory or above it, with all worktrees of its repository', async () => {
    const at = (dir: string, ...rest: string[]): string => projectFolder(join(dir, ...rest))
    await withProjects(
      dir => [
        at(dir, 'shop'),
        at(dir, 'shop-fix'),
        at(dir, 'shop', '.claude/worktrees/old'),
        at(dir, 'alone'),
      ],
      ({ dir }, hostAt) => {
        const { main, tree } = addRepository(dir)
        const all = [at(main), at(main, '.claude/worktrees/old'), at(tree)]
        const here = (path: string): readonly string[] => [...names(scopeHere(hostAt(path)))].sort()
        for (const path of [main, tree, join(main, 'src')]) expect(here(path)).toEqual([...all].sort())
        expect(here(join(dir, 'alone', 'below'))).toEqual([at(dir, 'alone')])
        expect([here(dir), here(TOP), names(scopeHere(hostAt(null)))]).toEqual([[], [], []])
      },
    )
  })

  it('[U2] latest is its latest session, and that of all projects elsewhere', async () => {
    await withProjects(
      dir => [projectFolder(join(dir, 'shop')), '-home-dev-newer'],
      ({ dir }, hostAt) => {
        const latest = (here: string | null): string | null => findSession('latest', hostAt(here)).id
        expect([latest(join(dir, 'shop')), latest(dir), latest(null)]).toEqual(['s0', 's1', 's1'])
        expect(findSession(join(dir, 'shop'), hostAt(null)).id).toBe('s0')
      },
    )
  })
})
