// Builds what the command ships: the command itself and the page, each in one file, into packages/cli/dist.
//
//   dagline.js          the command
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
const [viewer] = await Promise.all([
  build({
    ...page,
    entryPoints: { app: 'packages/web/src/main.tsx' },
    outdir: `${OUT}/page`,
    splitting: true,
    chunkNames: 'part-[hash]',
    metafile: true,
  }),
  build({
    ...shared,
    platform: 'node',
    target: 'node22.16',
    entryPoints: ['packages/cli/src/main.ts'],
    outfile: `${OUT}/dagline.js`,
  }),
  build({ ...page, entryPoints: { file: 'packages/web/src/file.tsx' }, outdir: `${OUT}/page` }),
])
copyFileSync('packages/web/src/index.html', `${OUT}/page/index.html`)
removeOldParts(new Set(Object.keys(viewer.metafile?.outputs ?? {}).map(path => basename(path))))

/** Parts are named by what is in them: those of earlier builds are left over. */
function removeOldParts(now: ReadonlySet<string>): void {
  for (const name of readdirSync(`${OUT}/page`))
    if (name.startsWith('part-') && !now.has(name)) rmSync(`${OUT}/page/${name}`)
}
