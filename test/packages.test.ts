/**
 * What a user of the packages gets: both are packed from a copy of the repository and installed into empty folders.
 * `npm run test:packages` runs this on every Node and TypeScript that is supported, and downloads them first.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFiles, ROOT, readText } from '../scripts/lib/sources.ts'
import { copyRepository, installTool, NPM, newcomerEnv } from './newcomer.ts'
import {
  copyExamples,
  EXAMPLES,
  entriesOf,
  exampleErrors,
  filesIn,
  type Installed,
  install,
  type Manifest,
  packagingFaults,
  readmeProgram,
  run,
  runExample,
  runModule,
  typeErrors,
} from './packages.ts'

const isWide = process.env['DAGLINE_PACKAGES'] === 'all'
const SETUP = 600_000
const MEGABYTE = 1 << 20

/** [name, path of the program] and [name, folder]; by default those of this checkout. */
const NODES = isWide ? ['22.16', '24', '26'].map(nodeTool) : [['as installed', process.execPath] as const]
const COMPILERS = isWide
  ? ['5.6', 'latest'].map(compilerTool)
  : [['as installed', join(ROOT, 'node_modules', 'typescript')] as const]

const folder = mkdtempSync(join(tmpdir(), 'dagline-packages-'))
const checkout = join(folder, 'checkout')
let core: Installed
let dagline: Installed

beforeAll(() => {
  const env = newcomerEnv(folder)
  copyRepository(checkout)
  const [program, ...first] = NPM
  if (isWide) execFileSync(program, [...first, 'ci'], { cwd: checkout, env })
  else symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'), 'junction')
  core = install(checkout, 'packages/core', join(folder, 'core-user'), env)
  dagline = install(checkout, 'packages/cli', join(folder, 'dagline-user'), env)
}, SETUP)

afterAll(() => rmSync(folder, { recursive: true, force: true }), SETUP)

describe.each([
  ['@dagline/core', (): Installed => core],
  ['dagline', (): Installed => dagline],
])('%s', (_name, installed) => {
  it('has everything that belongs to a package, and nothing else', () => {
    const files = [...filesIn(installed().folder).keys()]
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json']))
    expect(files.filter(file => /\.map$|\.ts$(?<!\.d\.ts)|tsbuildinfo/.test(file))).toEqual([])
    expect(files.filter(file => readOf(installed(), file).includes('sourceMappingURL='))).toEqual([])
  })

  it('has no dependencies and takes at most 6 MB', () => {
    expect(installed().manifest.dependencies).toBeUndefined()
    const sizes = [...filesIn(join(installed().user, 'node_modules')).values()]
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6 * MEGABYTE)
  })

  it('has a README whose links and pictures are absolute', () => {
    const links = [...readOf(installed(), 'README.md').matchAll(/\]\(([^)]*)\)/g)].map(
      match => match[1] ?? '',
    )
    expect(links.length).toBeGreaterThan(2)
    expect(links.filter(link => !link.startsWith('https://'))).toEqual([])
  })

  it('passes publint and are-the-types-wrong', async () => {
    expect(await packagingFaults(installed())).toEqual([])
  })

  it.each(NODES)('every entry point can be imported: Node %s', (_, node) => {
    const entries = entriesOf(installed())
    expect(entries.length).toBeGreaterThan(0)
    const imports = entries.map(entry => `console.log(Object.keys(await import('${entry}')).length > 0)`)
    const { stdout, stderr } = runModule(installed(), node, imports.join('\n'))
    // Two entry points are types alone.
    const given = entries.map(entry => `${!['dagline/types', 'dagline/json'].includes(entry)}\n`)
    expect([stdout, stderr]).toEqual([given.join(''), ''])
  })

  it.each(
    COMPILERS.flatMap(([version, path]) => [
      [version, 'bundler', path] as const,
      [version, 'nodenext', path] as const,
    ]),
  )('type-checks strictly: TypeScript %s, moduleResolution %s', (_, resolution, typescript) => {
    expect(typeErrors(installed(), typescript, resolution)).toBe('')
  })

  it('has the version of all packages of the workspace', () => {
    const paths = [...listFiles()].filter(path => /^(packages\/[^/]+\/)?package\.json$/.test(path))
    const manifests = paths.map(path => JSON.parse(readText(path)) as Manifest)
    expect(manifests.filter(({ version }) => version !== installed().manifest.version)).toEqual([])
  })
})

describe('@dagline/core', () => {
  it.each(NODES)('runs the program of its README: Node %s', (_, node) => {
    const session = '7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815'
    const path = join(ROOT, 'examples/projects/-home-dev-shop', `${session}.jsonl`)
    const use = `import { readFileSync } from 'node:fs'
      console.log(forks('${session}', readFileSync(${JSON.stringify(path)}, 'utf8')).join('\\n'))`
    const { stdout, stderr } = runModule(core, node, readmeProgram(core) + use)
    expect([stdout, stderr]).toEqual([
      expect.stringContaining('rewind: 2 children each continue the conversation'),
      '',
    ])
  })

  it('can be bundled for a browser: it needs nothing of Node', async () => {
    const entryPoints = Object.values(core.manifest.exports).flatMap(entry =>
      typeof entry === 'string' ? [] : [join(core.folder, entry.default)],
    )
    const options = {
      bundle: true,
      write: false,
      platform: 'browser',
      outdir: core.user,
      format: 'esm',
    } as const
    await expect(build({ ...options, entryPoints, logLevel: 'silent' })).resolves.toMatchObject({
      warnings: [],
    })
  })
})

describe('the library of dagline', () => {
  it.each(NODES)('runs the program of its README: Node %s', (_, node) => {
    const use = "\nconsole.log((await abandoned(['node_modules/dagline/samples/projects'])).join('\\n'))"
    const { stdout, stderr } = runModule(dagline, node, readmeProgram(dagline) + use)
    expect(stdout, stderr).toMatch(/^[\da-f-]{36}: \w/)
  })
})

describe('the examples, with both packages installed', () => {
  const user = join(folder, 'examples-user')

  beforeAll(async () => {
    mkdirSync(user)
    writeFileSync(join(user, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    cpSync(join(core.user, 'node_modules'), join(user, 'node_modules'), { recursive: true })
    cpSync(join(dagline.user, 'node_modules'), join(user, 'node_modules'), { recursive: true })
    await copyExamples(user)
  }, SETUP)

  it.each(NODES.flatMap(([version, node]) => EXAMPLES.map(name => [name, version, node] as const)))(
    '%s prints what stands beside it: Node %s',
    (name, _, node) => {
      const { stdout, stderr } = runExample(user, node, name)
      expect([stdout, stderr]).toEqual([readText(`examples/${name}.txt`), ''])
    },
  )

  it.each(COMPILERS)('type-check: TypeScript %s', (_, typescript) => {
    expect(exampleErrors(user, typescript)).toBe('')
  })
})

describe('the command of dagline', () => {
  const command = (node: string, ...words: string[]): ReturnType<typeof run> =>
    run(node, [join(dagline.folder, 'bin', 'dagline.js'), ...words], dagline.user)
  const samples = ['--root', 'node_modules/dagline/samples/projects']

  it.each(NODES)('prints its version, lists, searches with an index, and exports: Node %s', (_, node) => {
    expect(command(node, '--version').stdout).toBe(`${dagline.manifest.version}\n`)
    expect(command(node, 'ls', ...samples).stdout).toContain('Round order totals once')
    expect(command(node, 'search', 'rounding', ...samples, '--json').status).toBe(0)
    const exported = command(node, 'export', '019c5be1', ...samples, '--out', 'page.html', '--force')
    expect([exported.status, exported.stderr]).toEqual([0, expect.any(String)])
  })

  it('has its man page', () => {
    expect(readOf(dagline, 'dagline.1')).toContain('.SS dagline log ')
  })

  it('says which Node it needs where it is started with an older one', () => {
    const old =
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })"
    const words = ['--import', `data:text/javascript,${old}`, join(dagline.folder, 'bin', 'dagline.js'), 'ls']
    const { stderr, status } = run(process.execPath, words, dagline.user)
    expect([stderr, status]).toEqual(['dagline needs Node 22.16 or newer; this is 20.20.2.\n', 1])
  })

  it('has the licences of all that is bundled, in the package and in exported pages', () => {
    const notices = readOf(dagline, 'NOTICES.txt')
    for (const name of ['commander', 'hono', 'zod', 'preact', '@clack/prompts', 'hyparquet-writer', 'diff'])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
    const page = readFileSync(join(dagline.user, 'page.html'), 'utf8')
    for (const text of [notices, page])
      expect(text).toMatch(/diff \S+ \(BSD-3-Clause\)[\s\S]*Redistribution and use/)
  })
})

function readOf({ folder: own }: Installed, file: string): string {
  return readFileSync(join(own, file), 'utf8')
}

function nodeTool(version: string): readonly [string, string] {
  return [version, join(installTool({ name: 'node', version }), 'bin', 'node')]
}

function compilerTool(version: string): readonly [string, string] {
  return [version, installTool({ name: 'typescript', version })]
}
