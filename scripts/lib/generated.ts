/** Parts of documents that the command gives: its help for docs/CLI.md, and pictures of sessions. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { drawShapes } from './conformance.ts'
import { ROOT } from './sources.ts'

const SESSION = 'examples/projects/-home-dev-shop/7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815.jsonl'

/** The part of a commander program that help is made from. */
interface Helpful {
  readonly commands: readonly Helpful[]
  name(): string
  configureHelp(): object
  configureHelp(how: { helpWidth: number }): Helpful
  configureOutput(how: { writeOut: (text: string) => void }): Helpful
  outputHelp(): void
}

/** A table of the definitions in packages/core/src/tables. */
interface TableDefinition {
  readonly name: string
  readonly about: string
  readonly columns: readonly { readonly name: string; readonly type: string; readonly about: string }[]
}

/** A query of packages/app/src/sql/queries.ts. */
interface Query {
  readonly name: string
  readonly about: string
  readonly sql: string
}

/** The topics of packages/cli/src/topics.ts, by name. */
type Topics = Readonly<Record<string, { readonly about: string; readonly text: string }>>

/** Parts of documents as Markdown, by name. */
interface GeneratedParts {
  readonly help: string
  readonly picture: string
  readonly tables: string
  /** Pictures by the name of a shape, for conformance/SHAPES.md. */
  readonly shapes: ReadonlyMap<string, string>
  readonly queries: string
  /** The statements that make tables of a lake, by the name of an engine, for docs/ENGINES.md. */
  readonly engines: ReadonlyMap<string, string>
}

/** Statements for an engine, of packages/app/src/sql/engines.ts. */
interface Engines {
  readonly ENGINES: readonly string[]
  readonly setupFor: (engine: string, lake: string, tables: readonly TableDefinition[]) => readonly string[]
}

/** All parts, made from the sources, not from the bundle. */
export async function generateParts(): Promise<GeneratedParts> {
  const folder = join(ROOT, 'node_modules', '.cache', 'dagline-docs')
  const source = join(ROOT, 'packages', 'cli', 'src')
  await build({
    entryPoints: {
      program: join(source, 'program.ts'),
      main: join(source, 'main.ts'),
      topics: join(source, 'topics.ts'),
      tables: join(ROOT, 'packages', 'core', 'src', 'tables', 'index.ts'),
      queries: join(ROOT, 'packages', 'app', 'src', 'sql', 'queries.ts'),
      engines: join(ROOT, 'packages', 'app', 'src', 'sql', 'engines.ts'),
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  const load = (name: string): Promise<unknown> =>
    import(`${pathToFileURL(join(folder, name)).href}?${Date.now()}`)
  const program = (await load('program.mjs')) as { createProgram: () => Promise<Helpful> }
  const { TABLES, SESSION_TABLES } = (await load('tables.mjs')) as {
    readonly TABLES: readonly TableDefinition[]
    readonly SESSION_TABLES: readonly TableDefinition[]
  }
  const { TOPICS } = (await load('topics.mjs')) as { readonly TOPICS: Topics }
  const command = join(folder, 'main.mjs')
  const { BUILT_IN_QUERIES } = (await load('queries.mjs')) as { readonly BUILT_IN_QUERIES: readonly Query[] }
  const { ENGINES, setupFor } = (await load('engines.mjs')) as Engines
  return {
    engines: new Map(ENGINES.map(name => [name, engineSection(setupFor(name, '/data/lake', TABLES))])),
    help: `${helpOf(await program.createProgram())}\n\n${Object.entries(TOPICS).map(topicSection).join('\n\n')}`,
    picture: pictureOf(command),
    shapes: await drawShapes(command),
    tables: SESSION_TABLES.map(tableSection).join('\n\n'),
    queries: BUILT_IN_QUERIES.map(querySection).join('\n\n'),
  }
}

/** The names of types as engines have them. */
const SQL_TYPES: Readonly<Record<string, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
}

function engineSection(statements: readonly string[]): string {
  return ['```sql', ...statements.map(sql => `${sql};`), '```'].join('\n')
}

function querySection({ name, about, sql }: Query): string {
  return [`### @${name}`, '', about, '', '```sql', sql, '```'].join('\n')
}

function tableSection({ name, about, columns }: TableDefinition): string {
  const rows = columns.map(column => `| \`${column.name}\` | ${SQL_TYPES[column.type]} | ${column.about} |`)
  return [`### ${name}`, '', about, '', '| Column | Type | |', '|---|---|---|', ...rows].join('\n')
}

function topicSection([name, { about, text }]: readonly [string, Topics[string]]): string {
  return [`## dagline help ${name}`, '', `Topic: ${about}.`, '', `\`\`\`${text}`, '```'].join('\n')
}

/** The help of dagline and of all its commands. */
function helpOf(program: Helpful): string {
  const commands = program.commands.filter(command => command.name() !== 'help')
  return [program, ...commands].map((command, at) => section(command, at === 0)).join('\n\n')
}

function section(command: Helpful, isMain: boolean): string {
  let text = ''
  command.configureHelp({ ...command.configureHelp(), helpWidth: 100 }).configureOutput({
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
