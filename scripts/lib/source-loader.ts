/**
 * Lets Node import the sources as they are, without a build: `vitest.config.ts` starts its workers with it. Vite's own
 * module runner looks up each imported name whenever it is used, so that tests of long sessions take twice as long.
 */
import { existsSync, readFileSync } from 'node:fs'
import { type LoadHookSync, type ResolveHookSync, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

/** What Vitest adds for a bundler. Some installed packages lead to their TypeScript under them. */
const VITE_CONDITIONS = ['module', 'development']
const PACKAGES = new URL('../../packages/', import.meta.url)

const resolve: ResolveHookSync = (specifier, context, next) => {
  const url = packageSource(specifier) ?? moduleSource(specifier, context.parentURL)
  if (url !== null) return { url: url.href, shortCircuit: true }
  const conditions = context.conditions.filter(condition => !VITE_CONDITIONS.includes(condition))
  return next(specifier, { ...context, conditions })
}

/** The source of a package of this repository, as `paths` of tsconfig.base.json has it. */
function packageSource(specifier: string): URL | null {
  const own = /^dagline(?:\/(core(?:\/[\w-]+)?))?$/.exec(specifier)
  if (own !== null) return new URL(`cli/src/${own[1]?.replace('/', '-') ?? 'index'}.ts`, PACKAGES)
  const [, name, folder = '.'] = /^@dagline\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier) ?? []
  return name === undefined ? null : new URL(`${name}/src/${folder}/index.ts`, PACKAGES)
}

/** The source that an import of `./name.js` means, if there is one. Installed packages are imported as they are. */
function moduleSource(specifier: string, importer: string | undefined): URL | null {
  if (importer === undefined || importer.includes('/node_modules/')) return null
  if (!/^\.\.?\/.*\.js$/.test(specifier)) return null
  const sources = ['.ts', '.tsx'].map(end => new URL(specifier.replace(/\.js$/, end), importer))
  return sources.find(url => existsSync(url)) ?? null
}

/** Node removes types by itself, but knows neither JSX nor styles. */
const load: LoadHookSync = (url, context, next) => {
  if (url.endsWith('.css')) return { format: 'module', source: '', shortCircuit: true }
  return url.endsWith('.tsx')
    ? { format: 'module', source: withoutJsx(fileURLToPath(url)), shortCircuit: true }
    : next(url, context)
}

function withoutJsx(path: string): string {
  const options = { loader: 'tsx', jsx: 'automatic', jsxImportSource: 'preact', sourcemap: 'inline' } as const
  return transformSync(readFileSync(path, 'utf8'), { ...options, sourcefile: path }).code
}

registerHooks({ resolve, load })
