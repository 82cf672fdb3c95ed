/** Packs the published packages, installs them into an empty folder, and looks at what a user gets. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { build, transformSync } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { ROOT } from '../scripts/lib/sources.ts'
import { NPM } from './newcomer.ts'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** A package as it is installed. */
export interface Installed {
  readonly name: string
  readonly manifest: Manifest
  /** The folder of a program that uses it. */
  readonly user: string
  /** Its own folder in there. */
  readonly folder: string
  readonly tarball: Uint8Array<ArrayBuffer>
}

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

/** Packs one workspace of a checkout and installs the tarball into an empty folder. */
export function install(
  checkout: string,
  workspace: string,
  user: string,
  env: NodeJS.ProcessEnv,
): Installed {
  mkdirSync(user)
  writeFileSync(join(user, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const [program, ...first] = NPM
  const npm = (cwd: string, ...words: string[]): string =>
    execFileSync(program, [...first, ...words], {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const file = join(
    user,
    npm(checkout, 'pack', '-w', workspace, '--pack-destination', user).trim().split('\n').at(-1) ?? '',
  )
  npm(user, 'install', file, '--offline', '--no-fund')
  const { name } = readJson<Manifest>(join(checkout, workspace, 'package.json'))
  const folder = join(user, 'node_modules', name)
  const manifest = readJson<Manifest>(join(folder, 'package.json'))
  return { name, manifest, user, folder, tarball: new Uint8Array(readFileSync(file)) }
}

/** What its entry points are called in an import; `package.json` is not one of them. */
export function entriesOf({ name, manifest }: Installed): string[] {
  return Object.keys(manifest.exports)
    .filter(path => !path.endsWith('.json'))
    .map(path => name + path.slice(1))
}

/** The first program in TypeScript of its README; an empty text if there is none. */
export function readmeProgram({ folder }: Installed): string {
  return /```ts\n([\s\S]*?)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8'))?.[1] ?? ''
}

/** Runs a module in the folder of the user. */
export function runModule({ user }: Installed, node: string, typescript: string): Ran {
  const file = join(user, 'program.mjs')
  writeFileSync(file, transformSync(typescript, { loader: 'ts', format: 'esm' }).code)
  return run(node, [file], user)
}

export function run(node: string, words: readonly string[], cwd: string): Ran {
  const { PATH = '', HOME = '' } = process.env
  const home = { HOME: cwd, XDG_CACHE_HOME: join(cwd, 'cache'), XDG_DATA_HOME: join(cwd, 'data') }
  return spawnSync(node, words, { cwd, env: { PATH, ...(HOME && home) }, encoding: 'utf8' })
}

/** Programs of `examples/` that a user has copied beside the installed packages. */
export const EXAMPLES: readonly string[] = readdirSync(join(ROOT, 'examples'))
  .filter(name => name.endsWith('.txt'))
  .map(name => name.replace('.txt', ''))

/** Copies the examples into the folder of a user, and bundles each one with what it imports of the others. */
export async function copyExamples(user: string): Promise<void> {
  cpSync(join(ROOT, 'examples'), join(user, 'examples'), { recursive: true })
  await build({
    absWorkingDir: join(user, 'examples'),
    entryPoints: EXAMPLES.map(name => `${name}.ts`),
    outdir: 'built',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
}

/** Runs an example and returns what it prints. */
export function runExample(user: string, node: string, name: string): Ran {
  const out = mkdtempSync(join(user, 'out-'))
  const program = `import { run } from './examples/built/${name}.js'
    console.log((await run('examples/projects/-home-dev-shop', ${JSON.stringify(out)})).join('\\n'))`
  const file = join(user, `${name}.mjs`)
  writeFileSync(file, program)
  return run(node, [file], user)
}

/** What a TypeScript compiler says of the examples, with the types of the installed packages. */
export function exampleErrors(user: string, typescript: string): string {
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    target: 'ES2023',
    module: 'NodeNext',
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  }
  const config = join(user, 'examples', 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { stdout, stderr } = run(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', config], user)
  return stdout + stderr
}

/** Functions that return what a history returns, for which a compiler has to write down the types. */
const ANSWERS = `import { type History, openHistory } from 'dagline'
  const history = openHistory()
  ${['blame', 'commits', 'context', 'contextDiff', 'find', 'follow', 'health', 'now', 'search', 'usage']
    .map(
      name =>
        `export const ${name} = (...given: Parameters<History['${name}']>) => history.${name}(...given)`,
    )
    .join('\n')}
  export const hits = async () => (await history.search('')).hits
  export const fields = async () => (await history.contentsOf(await history.graphOf(''))).blocks(0)
  export const edit = history.edit
  export const archive = history.archive`

/**
 * What a TypeScript compiler says of a program that imports every entry point, of the one in the README, and of functions that
 * are declared for others to use.
 */
export function typeErrors(
  installed: Installed,
  typescript: string,
  resolution: 'bundler' | 'nodenext',
): string {
  const { user } = installed
  const imports = entriesOf(installed).map(
    (entry, at) => `import * as e${at} from '${entry}'\nexport { e${at} }\n`,
  )
  writeFileSync(join(user, 'imports.ts'), imports.join(''))
  writeFileSync(join(user, 'readme.ts'), readmeProgram(installed))
  writeFileSync(join(user, 'answers.ts'), installed.name === 'dagline' ? ANSWERS : '')
  const compilerOptions = {
    strict: true,
    declaration: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'ES2022',
    lib: ['ES2023'],
    types: [],
    module: resolution === 'bundler' ? 'ESNext' : 'NodeNext',
    moduleResolution: resolution,
  }
  writeFileSync(
    join(user, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['imports.ts', 'readme.ts', 'answers.ts'] }),
  )
  const { stdout, stderr } = run(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', user], user)
  return stdout + stderr
}

/** What publint and are-the-types-wrong find. The packages are ES modules: what concerns CommonJS is left out. */
export async function packagingFaults({ folder, tarball }: Installed): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false })
  const linted = messages.map(message => formatMessage(message, pkg) ?? message.code)
  const { problems = [] } = { ...(await checkPackage(createPackageFromTarballData(tarball))) } as {
    problems?: readonly { readonly kind: string; readonly resolutionKind?: string }[]
  }
  const wrong = problems.filter(
    ({ kind, resolutionKind }) => kind !== 'CJSResolvesToESM' && resolutionKind !== 'node10',
  )
  return [...linted, ...wrong.map(problem => JSON.stringify(problem))]
}

/** Paths of all files in a folder, relative to it, with their sizes in bytes. */
export function filesIn(folder: string): ReadonlyMap<string, number> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = paths.map(path => [path, statSync(join(folder, path))] as const)
  return new Map(files.filter(([, stat]) => stat.isFile()).map(([path, { size }]) => [path, size]))
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8'))
}
