/**
 * Y5: DuckDB, which is not part of dagline: it is found where it is installed. The folder in which a command happens to run is not
 * searched, because it may be anybody's.
 */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../host/user-error.js'

const PACKAGE = '@duckdb/node-api'

/** The part of the package that is used. */
export interface DuckDB {
  readonly DuckDBInstance: {
    readonly create: (path: string, options: Readonly<Record<string, string>>) => Promise<DuckInstance>
  }
}

/** A database. */
export interface DuckInstance {
  connect(): Promise<DuckConnection>
  closeSync(): void
}

/** A connection to it. */
export interface DuckConnection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRowsJS(): unknown[][] }>
  extractStatements(sql: string): Promise<{
    readonly count: number
    prepare(index: number): Promise<{ run(): Promise<unknown>; stream(): Promise<DuckResult> }>
  }>
  closeSync(): void
}

/** What a query gives, read as it is asked for. */
export interface DuckResult {
  deduplicatedColumnNames(): string[]
  columnTypes(): readonly object[]
  yieldRowsJs(): AsyncIterable<unknown[][]>
}

/** Loads DuckDB from a folder that was given, or from where dagline or global packages are. Throws `UserError` where it is not. */
export function loadDuckDB(given: string | null): DuckDB {
  const chosen = given ?? process.env['DAGLINE_DUCKDB'] ?? null
  const folders = chosen === null ? [ownFolder(), ...usualFolders()] : [resolve(chosen)]
  const found = firstIn(folders) ?? (chosen === null ? firstIn(globalFolder()) : null)
  if (found === null) throw new UserError(missing(chosen), 'unavailable')
  const { DuckDBInstance }: Partial<DuckDB> = createRequire(found)(found)
  if (DuckDBInstance === undefined)
    throw new UserError(`${found} is not the package that dagline needs. Run \`npm install -g ${PACKAGE}\`.`)
  return { DuckDBInstance }
}

function missing(chosen: string | null): string {
  if (chosen !== null) return `${chosen} has no ${PACKAGE}. Run \`npm install ${PACKAGE}\` there.`
  return `SQL needs DuckDB, which is not part of dagline. Run \`npm install -g ${PACKAGE}\`, or name a folder that has it with --duckdb.`
}

function firstIn(folders: readonly string[]): string | null {
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(PACKAGE)
    } catch {
      // Not in this one.
    }
  }
  return null
}

/** The folder of this program: a project or global folder that has dagline may also have DuckDB. */
function ownFolder(): string {
  return dirname(fileURLToPath(import.meta.url))
}

/** Where global packages are for most people: asking npm takes longer than a query. */
function usualFolders(): readonly string[] {
  const { APPDATA, npm_config_prefix } = process.env
  const here = dirname(process.execPath)
  return [
    ...(npm_config_prefix === undefined ? [] : [join(npm_config_prefix, 'lib', 'node_modules')]),
    ...(APPDATA === undefined ? [] : [join(APPDATA, 'npm', 'node_modules')]),
    join(here, '..', 'lib', 'node_modules'),
    join(here, 'node_modules'),
  ]
}

const PATIENCE = 10_000

function globalFolder(): readonly string[] {
  try {
    const isWindows = process.platform === 'win32'
    const output = execFileSync(isWindows ? 'npm.cmd' : 'npm', ['root', '-g'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PATIENCE,
      shell: isWindows,
    })
    return [output.trim()].filter(folder => folder !== '')
  } catch {
    return []
  }
}
