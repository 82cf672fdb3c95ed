// Builds what the command ships: the command itself and the page, each in one file, into packages/cli/dist.
//
//   dagline.js          the command
//   page/app.js, .css   the viewer
//   page/file.js, .css  the page inside an exported file
//   page/index.html     what the server sends first
import { copyFileSync, mkdirSync } from 'node:fs'
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
await Promise.all([
  build({
    ...shared,
    platform: 'node',
    target: 'node22.16',
    entryPoints: ['packages/cli/src/main.ts'],
    outfile: `${OUT}/dagline.js`,
  }),
  build({ ...page, entryPoints: { app: 'packages/web/src/main.tsx' }, outdir: `${OUT}/page` }),
  build({ ...page, entryPoints: { file: 'packages/web/src/file.tsx' }, outdir: `${OUT}/page` }),
])
copyFileSync('packages/web/src/index.html', `${OUT}/page/index.html`)
