// Builds what a published package holds, before `npm pack` or `npm publish` collects it. Runs in the package's folder.
import { copyFileSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { bundleCommand, bundleCore, COMMAND, CORE, entryPoints } from './lib/bundle.ts'
import { manPage } from './lib/man.ts'
import { noticesOf } from './lib/notices.ts'
import { ROOT } from './lib/sources.ts'

const NOTICES = 'This package contains code of the packages below, each under its own licence.\n\n'

const folder = `packages/${basename(process.cwd())}`
const bundles = folder === CORE ? [await bundleCore()] : await bundleCommand()
await rollUpDeclarations(folder)
for (const name of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(ROOT, name), name)
const notices = noticesOf(bundles)
if (notices !== '') writeFileSync('NOTICES.txt', NOTICES + notices)
if (folder === COMMAND) {
  rmSync('samples', { recursive: true, force: true })
  cpSync(join(ROOT, 'fixtures/samples'), 'samples', { recursive: true })
  writeFileSync('dagline.1', await manPage())
}

/**
 * Writes the type declarations of a published package: one `.d.ts` for each entry point, and parts for what several of
 * them share, so that a type is declared once. They are made from the sources, file by file, without a type check.
 */
async function rollUpDeclarations(folder: string): Promise<void> {
  const dir = join(ROOT, folder, 'dist')
  for (const name of readdirSync(dir)) if (name.endsWith('.d.ts')) rmSync(join(dir, name))
  const bundle = await rolldown({
    cwd: ROOT,
    input: entryPoints(folder),
    tsconfig: join(ROOT, 'tsconfig.base.json'),
    plugins: [
      dts({ cwd: ROOT, tsconfig: 'tsconfig.base.json', emitDtsOnly: true, oxc: true, sourcemap: false }),
    ],
  })
  await bundle.write({
    dir,
    format: 'es',
    chunkFileNames: 'part-[hash].js',
    minifyInternalExports: false,
    sourcemap: false,
  })
  await bundle.close()
}
