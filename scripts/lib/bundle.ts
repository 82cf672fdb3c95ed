import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { type CodeSplittingGroup, type Plugin, rolldown } from 'rolldown'
import { noticesOf } from './notices.ts'
import { ROOT } from './sources.ts'

/** Folders of the packages that are published. */
export const CORE = 'packages/core'
export const COMMAND = 'packages/cli'

/** What a build wrote. Paths are relative to the root of the repository. */
export interface Bundle {
  readonly files: readonly string[]
  /** Every module that is part of some file. */
  readonly modules: readonly string[]
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

/** The source file of each entry point that a package exports, by the name of its bundle: `index`, `edit`. */
export function entryPoints(folder: string): Record<string, string> {
  const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const bundles = Object.values(manifest.exports).flatMap(entry =>
    typeof entry === 'string' ? [] : [basename(entry.default, '.js')],
  )
  return Object.fromEntries(bundles.map(name => [name, sourceOf(folder, name)]))
}

function sourceOf(folder: string, name: string): string {
  const file = `${folder}/src/${name}.ts`
  return existsSync(join(ROOT, file)) ? file : `${folder}/src/${name}/index.ts`
}

const shared: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
}

/** Entry points share code in parts, or load parts when they are needed. */
const inParts: BuildOptions = { splitting: true, chunkNames: 'part-[hash]' }

/** How scripts and styles of pages are built. */
export const pageOptions: BuildOptions = {
  ...shared,
  platform: 'browser',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  outdir: `${COMMAND}/dist/page`,
}

/** Bundles @dagline/core: one file for each entry point. */
export async function bundleCore(): Promise<Bundle> {
  const outdir = `${CORE}/dist`
  const options: BuildOptions = {
    platform: 'neutral',
    target: 'es2023',
    entryPoints: entryPoints(CORE),
    outdir,
  }
  const { metafile } = await build({ ...shared, ...inParts, ...options, metafile: true })
  const bundle = bundleOf(metafile)
  removeOldParts(outdir, [bundle])
  return bundle
}

/** Bundles dagline: the command, its library and the page. */
export async function bundleCommand(): Promise<readonly Bundle[]> {
  const outdir = `${COMMAND}/dist`
  mkdirSync(join(ROOT, outdir, 'page'), { recursive: true })
  const [command, statusLine, app, file] = await Promise.all([
    bundleProgram(outdir),
    bundleStatusLine(outdir),
    build({ ...pageOptions, ...inParts, entryPoints: { app: 'packages/web/src/main.tsx' }, metafile: true }),
    build({ ...pageOptions, entryPoints: { file: 'packages/web/src/file.tsx' }, metafile: true }),
  ])
  copyFileSync(join(ROOT, 'packages/web/src/index.html'), join(ROOT, outdir, 'page/index.html'))
  const bundles = [command, statusLine, bundleOf(app.metafile), bundleOf(file.metafile)]
  addNotices(join(ROOT, outdir, 'page/file.js'), bundleOf(file.metafile))
  removeOldParts(outdir, bundles)
  removeOldParts(`${outdir}/page`, bundles)
  return bundles
}

/**
 * Modules that go into the same part. A part takes about half a millisecond to load, so what most commands share is one
 * part, and what runs before a command is known is another. All of core counts as initial, because it is an entry point
 * of the library: of it only what the start imports is taken.
 */
const PARTS: CodeSplittingGroup[] = [
  {
    name: 'start',
    tags: ['$initial'],
    test: /^\0builtin:|packages[\\/](?:(?:app|store)[\\/]src|core[\\/]src[\\/](?:model|parse[\\/]json))/,
    priority: 2,
  },
  // What answers from the index need, and all that this imports: half of what is shared, because it builds no graph.
  {
    name: 'light',
    test: /packages[\\/](?:app[\\/]src[\\/](?:host[\\/]engine|locate[\\/](?:project|worktrees)|index[\\/](?:archive|buckets|path)|files[\\/]projects|text)|store[\\/]src[\\/](?:db[\\/](?:sqlite\.ts|usage)|sync[\\/]behind)|core[\\/]src[\\/](?:format|measure[\\/]usage|model[\\/]status))/,
    minShareCount: 8,
    priority: 1,
  },
  { name: 'shared', test: /packages[\\/](?:core|store|app)[\\/]src/, minShareCount: 8 },
]

/**
 * Importing a built-in module evaluates all that it could give, also what Node itself would load when it is asked for:
 * promises, streams, colours. That is a fifth of a quick command. So our own modules take only what they name, and modules
 * that are costly by themselves, and of which functions are all that is used, are loaded when such a function is called.
 */
const builtins: Plugin = {
  name: 'builtins',
  resolveId: (id, importer) =>
    isBuiltin(id) && /packages[\\/]\w+[\\/]src|commander/.test(importer ?? '') ? BUILTIN + id : null,
  load: id => (id.startsWith(BUILTIN) ? builtinModule(id.slice(BUILTIN.length)) : null),
}

const BUILTIN = '\0builtin:'

const LOADED_LATE: ReadonlySet<string> = new Set([
  'node:child_process',
  'node:crypto',
  'node:stream/promises',
  'node:v8',
])

function builtinModule(name: string): string {
  const module: object = process.getBuiltinModule(name) ?? {}
  const load = `process.getBuiltinModule(${JSON.stringify(name)})`
  const value = (key: string): string => {
    const isFunction = typeof Reflect.get(module, key) === 'function'
    return LOADED_LATE.has(name) && isFunction
      ? `(...values) => ${load}.${key}(...values)`
      : `/* @__PURE__ */ (() => ${load}.${key})()`
  }
  const names = Object.keys(module).filter(key => /^[A-Za-z]\w*$/.test(key) && key !== 'default')
  const exported = names.map(key => `export const ${key} = ${value(key)}`)
  const whole = LOADED_LATE.has(name) ? `{ ${names.join(', ')} }` : load
  return [...exported, `export default ${whole}`].join('\n')
}

/**
 * Rolldown follows an import through re-exports to the module that is meant. With esbuild, every command would load all
 * that `@dagline/app` exports: 1.4 MB instead of 0.2 MB before the first line of a command runs.
 */
function bundleProgram(outdir: string): Promise<Bundle> {
  const input = { dagline: `${COMMAND}/src/main.ts`, ...entryPoints(COMMAND) }
  return bundleForNode(outdir, input, { groups: PARTS })
}

/** The status line is one file, so that it loads nothing that only commands need. */
function bundleStatusLine(outdir: string): Promise<Bundle> {
  return bundleForNode(outdir, { statusline: `${COMMAND}/src/statusline-main.ts` }, false)
}

async function bundleForNode(
  outdir: string,
  input: Readonly<Record<string, string>>,
  codeSplitting: { readonly groups: CodeSplittingGroup[] } | false,
): Promise<Bundle> {
  const build = await rolldown({
    cwd: ROOT,
    input: { ...input },
    platform: 'node',
    transform: { target: 'node22.16' },
    plugins: [builtins],
  })
  const { output } = await build.write({
    dir: join(ROOT, outdir),
    format: 'esm',
    chunkFileNames: 'part-[hash].js',
    codeSplitting,
    // Doc comments are in the types; the programs are a seventh smaller without them.
    comments: { legal: false, jsdoc: false },
  })
  await build.close()
  const chunks = output.filter(file => file.type === 'chunk')
  return {
    files: chunks.map(({ fileName }) => `${outdir}/${fileName}`),
    modules: chunks.flatMap(({ modules }) =>
      Object.entries(modules).flatMap(([id, { renderedLength }]) =>
        renderedLength > 0 ? relative(ROOT, id) : [],
      ),
    ),
  }
}

function bundleOf({ outputs }: Metafile): Bundle {
  const modules = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : [])),
  )
  return { files: Object.keys(outputs), modules }
}

/** An exported page is passed on by itself, so the licences of what it contains are inside. */
function addNotices(path: string, bundle: Bundle): void {
  const notices = noticesOf([bundle])
  writeFileSync(path, `/*!\n${notices}*/\n${readFileSync(path, 'utf8')}`)
}

/** Parts are named by their contents, so those of earlier builds are still there. */
function removeOldParts(folder: string, bundles: readonly Bundle[]): void {
  const built = new Set(bundles.flatMap(({ files }) => files))
  for (const name of readdirSync(join(ROOT, folder)))
    if (name.startsWith('part-') && name.endsWith('.js') && !built.has(`${folder}/${name}`))
      rmSync(join(ROOT, folder, name))
}
