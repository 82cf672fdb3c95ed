// Builds what the command ships: the command itself and the page, each in one file, into packages/cli/dist.
//
//   dagline.js          the command; part-*.js what its commands load when they run
//   page/app.js, .css   the viewer; page/part-*.js what it fetches when it is wanted
//   page/file.js, .css  the page inside an exported file
//   page/index.html     what the server sends first
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { type BuildOptions, build } from 'esbuild'

const OUT = 'packages/cli/dist'

const shared: BuildOptions = {
  bundle: true,
  format: 'esm',
  conditions: ['@dagline/source'],
  logLevel: 'warning',
}

const page: BuildOptions = {
  ...shared,
  platform: 'browser',
  target: ['chrome120', 'firefox121', 'safari17'],
  minify: true,
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
}

mkdirSync(`${OUT}/page`, { recursive: true })
/** Entry points that load the rest when it is wanted. */
const inParts: BuildOptions = { splitting: true, chunkNames: 'part-[hash]', metafile: true }

const built = await Promise.all([
  build({
    ...shared,
    ...inParts,
    platform: 'node',
    target: 'node22.16',
    entryPoints: { dagline: 'packages/cli/src/main.ts' },
    outdir: OUT,
  }),
  build({ ...page, ...inParts, entryPoints: { app: 'packages/web/src/main.tsx' }, outdir: `${OUT}/page` }),
  build({ ...page, entryPoints: { file: 'packages/web/src/file.tsx' }, outdir: `${OUT}/page` }),
])
copyFileSync('packages/web/src/index.html', `${OUT}/page/index.html`)
const made = new Set(
  built.flatMap(({ metafile }) => Object.keys(metafile?.outputs ?? {}).map(path => basename(path))),
)
for (const folder of [OUT, `${OUT}/page`]) removeOldParts(folder)

/** Parts are named by what is in them: those of earlier builds are left over. */
function removeOldParts(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith('part-') && !made.has(name)) rmSync(`${folder}/${name}`)
}
