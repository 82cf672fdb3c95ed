import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { ROOT } from './sources.ts'

/** The part of a commander program that help is made from. */
interface Helpful {
  readonly commands: readonly Helpful[]
  name(): string
  configureHelp(how: { helpWidth: number }): Helpful
  configureOutput(how: { writeOut: (text: string) => void }): Helpful
  outputHelp(): void
}

/** The help of dagline and of all its commands as Markdown, for docs/CLI.md. Made from the sources, not the bundle. */
export async function cliHelp(): Promise<string> {
  const program = await loadProgram()
  const commands = program.commands.filter(command => command.name() !== 'help')
  return [program, ...commands].map((command, at) => section(command, at === 0)).join('\n\n')
}

async function loadProgram(): Promise<Helpful> {
  const cache = join(ROOT, 'node_modules', '.cache')
  const outfile = join(cache, 'dagline-help.mjs')
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'packages', 'cli', 'src', 'program.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  mkdirSync(cache, { recursive: true })
  writeFileSync(outfile, outputFiles[0]?.text ?? '')
  const loaded: { createProgram: () => Promise<Helpful> } = await import(
    `${pathToFileURL(outfile).href}?${Date.now()}`
  )
  return await loaded.createProgram()
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
