/** Parts of documents that the command gives: its help for docs/CLI.md, and a picture for README.md. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { ROOT } from './sources.ts'

const SESSION = 'examples/projects/-home-dev-shop/7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815.jsonl'

/** The part of a commander program that help is made from. */
interface Helpful {
  readonly commands: readonly Helpful[]
  name(): string
  configureHelp(how: { helpWidth: number }): Helpful
  configureOutput(how: { writeOut: (text: string) => void }): Helpful
  outputHelp(): void
}

/** Both parts as Markdown, made from the sources, not from the bundle. */
export async function generateParts(): Promise<{ readonly help: string; readonly picture: string }> {
  const folder = join(ROOT, 'node_modules', '.cache', 'dagline-docs')
  const source = join(ROOT, 'packages', 'cli', 'src')
  await build({
    entryPoints: [join(source, 'program.ts'), join(source, 'main.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  const loaded: { createProgram: () => Promise<Helpful> } = await import(
    `${pathToFileURL(join(folder, 'program.mjs')).href}?${Date.now()}`
  )
  return { help: helpOf(await loaded.createProgram()), picture: pictureOf(join(folder, 'main.mjs')) }
}

/** The help of dagline and of all its commands. */
function helpOf(program: Helpful): string {
  const commands = program.commands.filter(command => command.name() !== 'help')
  return [program, ...commands].map((command, at) => section(command, at === 0)).join('\n\n')
}

function section(command: Helpful, isMain: boolean): string {
  let text = ''
  command.configureHelp({ helpWidth: 100 }).configureOutput({
    writeOut: part => {
      text += part
    },
  })
  command.outputHelp()
  const title = isMain ? '## dagline' : `## dagline ${command.name()}`
  return `${title}\n\n\`\`\`\n${text.trim()}\n\`\`\``
}

/** What `dagline log --graph` prints for the session of the examples. */
function pictureOf(command: string): string {
  const { PATH = '' } = process.env
  const options = { cwd: ROOT, env: { PATH, TZ: 'UTC' }, encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync(process.execPath, [command, 'log', '--graph', SESSION], options)
  if (stdout === '') throw new Error(`dagline log printed nothing: ${stderr}`)
  return `\`\`\`text\n$ npx dagline log --graph ${SESSION}\n${stdout.trim()}\n\`\`\``
}
