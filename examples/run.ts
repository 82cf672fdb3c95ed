// Runs a program of this folder and prints what it returns: node examples/run.ts branches
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [name = 'sessions', folder = join(import.meta.dirname, 'projects', '-home-dev-shop')] =
  process.argv.slice(2)
const out = mkdtempSync(join(tmpdir(), 'dagline-example-'))
const program: { readonly run: (folder: string, out: string) => Promise<string[]> } = await import(
  `./${name}.ts`
)
console.log((await program.run(folder, out)).join('\n'))
rmSync(out, { recursive: true })
