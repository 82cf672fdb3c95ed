// Builds what a published package holds, before `npm pack` or `npm publish` collects it. Runs in the package's folder.
import { copyFileSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { bundleCommand, bundleCore, COMMAND, CORE } from './lib/bundle.ts'
import { rollUpDeclarations } from './lib/declarations.ts'
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
}
