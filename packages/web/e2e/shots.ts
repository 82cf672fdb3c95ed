/**
 * Takes screenshots of every page, in both themes and at the width of a phone:
 *
 *   node packages/web/e2e/shots.ts OUTDIR [ROOT]
 *
 * It shows recorded and generated sessions, or those below a projects root. With `--docs` instead of a root, it takes
 * the screenshots of the README. The sources of the workspace are bundled first, as Node alone does not resolve them.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const folder = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'dagline')
const outfile = join(folder, 'shots.mjs')
const [out, root] = process.argv.slice(2)

if (out === undefined) {
  console.error('Usage: node packages/web/e2e/shots.ts OUTDIR [ROOT]')
  process.exit(1)
}
mkdirSync(folder, { recursive: true })
await build({
  entryPoints: [join(import.meta.dirname, 'take-shots.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  external: ['playwright-core', 'axe-core'],
  define: { 'import.meta.dirname': JSON.stringify(import.meta.dirname) },
  logLevel: 'warning',
})
const { takeShots, takeDocs } = await import(outfile)
await (root === '--docs' ? takeDocs(out) : takeShots(out, root ?? null))
