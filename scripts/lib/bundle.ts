import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { noticesOf } from './notices.ts'
import { ROOT } from './sources.ts'

/** Folders of the packages that are published. */
export const CORE = 'packages/core'
export const COMMAND = 'packages/cli'

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

const page: BuildOptions = {
  ...shared,
  platform: 'browser',
  target: ['chrome120', 'firefox121', 'safari17'],
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  outdir: `${COMMAND}/dist/page`,
}

/** Bundles @dagline/core: one file for each entry point. */
export async function bundleCore(): Promise<Metafile> {
  const outdir = `${CORE}/dist`
  const options: BuildOptions = {
    platform: 'neutral',
    target: 'es2023',
    entryPoints: entryPoints(CORE),
    outdir,
  }
  const { metafile } = await build({ ...shared, ...inParts, ...options, metafile: true })
  removeOldParts(outdir, [metafile])
  return metafile
}

/** Bundles dagline: the command, its library and the page. */
export async function bundleCommand(): Promise<readonly Metafile[]> {
  const outdir = `${COMMAND}/dist`
  mkdirSync(join(ROOT, outdir, 'page'), { recursive: true })
  const built = await Promise.all([
    build({
      ...shared,
      ...inParts,
      platform: 'node',
      target: 'node22.16',
      entryPoints: { dagline: `${COMMAND}/src/main.ts`, ...entryPoints(COMMAND) },
      outdir,
      metafile: true,
    }),
    build({ ...page, ...inParts, entryPoints: { app: 'packages/web/src/main.tsx' }, metafile: true }),
    build({ ...page, entryPoints: { file: 'packages/web/src/file.tsx' }, metafile: true }),
  ])
  copyFileSync(join(ROOT, 'packages/web/src/index.html'), join(ROOT, outdir, 'page/index.html'))
  const metafiles = built.map(({ metafile }) => metafile)
  addNotices(join(ROOT, outdir, 'page/file.js'), metafiles[2])
  removeOldParts(outdir, metafiles)
  removeOldParts(`${outdir}/page`, metafiles)
  return metafiles
}

/** An exported page is passed on by itself, so the licences of what it contains are inside. */
function addNotices(path: string, metafile: Metafile | undefined): void {
  const notices = noticesOf(metafile === undefined ? [] : [metafile])
  writeFileSync(path, `/*!\n${notices}*/\n${readFileSync(path, 'utf8')}`)
}

/** Parts are named by their contents, so those of earlier builds are still there. */
function removeOldParts(folder: string, metafiles: readonly Metafile[]): void {
  const built = new Set(metafiles.flatMap(({ outputs }) => Object.keys(outputs)))
  for (const name of readdirSync(join(ROOT, folder)))
    if (name.startsWith('part-') && name.endsWith('.js') && !built.has(`${folder}/${name}`))
      rmSync(join(ROOT, folder, name))
}
