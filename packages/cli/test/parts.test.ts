/** What commands load before they run: those that answer at once load no code that builds graphs. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BUNDLE } from './run.js'

const FOLDER = dirname(BUNDLE)
const FILES = new Map(
  readdirSync(FOLDER)
    .filter(name => name.endsWith('.js'))
    .map(name => [name, readFileSync(join(FOLDER, name), 'utf8')]),
)

/** The modules that are loaded with some file. */
function modulesWith(file: string): ReadonlySet<string> {
  const loaded = new Set<string>()
  const waiting = [file]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (loaded.has(name)) continue
    loaded.add(name)
    const imports = (FILES.get(name) ?? '').matchAll(/^import (?:[^;]* from )?"\.\/([^"]+)"/gm)
    waiting.push(...[...imports].map(([, imported = '']) => imported))
  }
  const texts = [...loaded].map(name => FILES.get(name) ?? '')
  return new Set(
    texts.flatMap(text => [...text.matchAll(/^\/\/#region (\S+)/gm)].map(([, path = '']) => path)),
  )
}

function fileWith(module: string): string {
  const [name] = [...FILES].find(([, text]) => text.includes(`//#region ${module}\n`)) ?? []
  if (name === undefined) throw new Error(`no part has ${module}`)
  return name
}

describe('the parts of the command', () => {
  it.each([
    'packages/cli/src/main.ts',
    'packages/cli/src/commands/usage.ts',
    'packages/app/src/measure/usage-report.ts',
  ])('with %s nothing is loaded that builds a graph', module => {
    const modules = [...modulesWith(fileWith(module))]
    expect(modules).toContain(module)
    expect(modules.filter(path => path.startsWith('packages/core/src/graph/'))).toEqual([])
  })
})
