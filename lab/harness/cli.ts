/** The real CLI: a given program, or a release from npm, kept in the cache folder. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { arch, homedir, platform, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** A release to try. */
export interface Cli {
  readonly version: string
  readonly path: string
}

/** Releases that the model knows; all were tried. */
export const VERSIONS = ['2.1.325', '2.1.197', '2.1.101', '2.1.41', '2.0.64', '1.0.66'] as const

/** The programs of `DAGLINE_LAB_CLI`, else the wanted releases, `latest` included; a sentence where there are none. */
export function findClis(wanted: readonly string[]): readonly Cli[] | string {
  const given = (process.env['DAGLINE_LAB_CLI'] ?? '').split(delimiter).filter(path => path !== '')
  const clis = given.length > 0 ? given.map(knownCli) : wanted.map(installedCli)
  const failed = clis.find(cli => typeof cli === 'string')
  return failed ?? clis.filter(cli => typeof cli !== 'string')
}

function knownCli(path: string): Cli | string {
  if (!existsSync(path)) return `DAGLINE_LAB_CLI names ${path}, which is not there.`
  const version = versionOf(path)
  return version === null ? `${path} does not print a version: it is not Claude Code.` : { version, path }
}

/** What the program says of itself; no home is given to it. */
function versionOf(path: string): string | null {
  const [program, before] = path.endsWith('.js') ? [process.execPath, [path]] : [path, []]
  const env = {
    HOME: join(tmpdir(), 'dagline-lab-nobody'),
    PATH: process.env['PATH'] ?? '',
    DISABLE_AUTOUPDATER: '1',
  }
  const { stdout } = spawnSync(program, [...before, '--version'], { encoding: 'utf8', env, timeout: 30_000 })
  return /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0] ?? null
}

function installedCli(wanted: string): Cli | string {
  const version = wanted === 'latest' ? latestVersion() : wanted
  if (version === null)
    return 'npm does not say which Claude Code is the newest. Nothing was checked with it.'
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const folder = join(cache, 'dagline', 'lab', version)
  const path = programIn(folder) ?? (install(version, folder) ? programIn(folder) : null)
  return path === null
    ? `Claude Code ${version} is not available: npm could not bring it. Nothing was checked with it.`
    : { version, path }
}

/** The newest release that npm has. */
function latestVersion(): string | null {
  const words = ['view', '@anthropic-ai/claude-code', 'version']
  const { stdout } = spawnSync('npm', words, { encoding: 'utf8', timeout: 60_000 })
  return /^\d+\.\d+\.\d+$/m.exec(stdout ?? '')?.[0] ?? null
}

/** The program of an unpacked package: a binary, or before 2.1.11x a script. */
function programIn(folder: string): string | null {
  const names = ['claude', 'claude.exe', 'cli.js']
  return names.map(name => join(folder, 'package', name)).find(path => existsSync(path)) ?? null
}

/** Brings a release from the registry with npm's own client, and unpacks it. */
function install(version: string, folder: string): boolean {
  const part = mkdtempSync(join(tmpdir(), 'dagline-lab-npm-'))
  try {
    for (const name of [`@anthropic-ai/claude-code-${platform()}-${arch()}`, '@anthropic-ai/claude-code']) {
      const packed = spawnSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: part })
      const tarball = readdirSync(part).find(file => file.endsWith('.tgz'))
      if (packed.status !== 0 || tarball === undefined) continue
      if (spawnSync('tar', ['xzf', tarball], { cwd: part }).status !== 0 || programIn(part) === null) continue
      mkdirSync(join(folder, '..'), { recursive: true })
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder)
      renameSync(join(part, 'package'), join(folder, 'package'))
      return true
    }
    return false
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}
