import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { ROOT } from './sources.ts'

const SESSION = 'examples/projects/-home-dev-shop/7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815.jsonl'

/** What `dagline log --graph` prints for the session of the examples, for README.md. Made from the sources. */
export function logPicture(): string {
  const outfile = join(ROOT, 'node_modules', '.cache', 'dagline-picture.mjs')
  buildSync({
    entryPoints: [join(ROOT, 'packages', 'cli', 'src', 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  const { PATH = '' } = process.env
  const options = { cwd: ROOT, env: { PATH, TZ: 'UTC' }, encoding: 'utf8' } as const
  const words = ['log', '--graph', SESSION]
  const { stdout, stderr } = spawnSync(process.execPath, [outfile, ...words], options)
  if (stdout === '') throw new Error(`dagline log printed nothing: ${stderr}`)
  return `\`\`\`text\n$ npx dagline log --graph ${SESSION}\n${stdout.trim()}\n\`\`\``
}
