/** Rules Q4 and B7: `examples/queue.ts` and the session store type-check against the types that the Agent SDK publishes. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Cli } from '../harness/cli.ts'
import { scratchFolder } from '../harness/dagline.ts'
import { sdkOf } from '../harness/sdk.ts'
import { isNewest } from '../harness/table.ts'
import type { Check } from './lab.ts'

const PROGRAM = `
import {
  foldSessionSummary,
  InMemorySessionStore,
  query,
  type SDKUserMessage,
  type SessionStore,
} from '@anthropic-ai/claude-agent-sdk'
import { createSessionStore, graphOf } from 'dagline'
import { createMessageQueue, type StreamedMessage } from '@dagline/core/queue'
import { type Query, send } from 'dagline-examples/queue.ts'

const asQuery: Query = query
const asMessage = (message: StreamedMessage<string>): SDKUserMessage => message
// @ts-expect-error: the SDK takes no numbers
const notAsMessage = (message: StreamedMessage<number>): SDKUserMessage => message
const asStore: SessionStore = createSessionStore('folder', { foldSessionSummary })
await graphOf(new InMemorySessionStore(), { projectKey: 'project', sessionId: 'session' })
await send(query, createMessageQueue({ newId: () => crypto.randomUUID() }), 'session')
export { asMessage, asQuery, asStore, notAsMessage }
`

/** Checks it once, with the newest release; the SDK brings its own types. */
export function checkTypes({ version }: Cli): readonly Check[] {
  const sdk = isNewest({ version }) ? sdkOf() : null
  if (sdk === null) return []
  const folder = scratchFolder()
  linkModules(folder, sdk)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'program.ts'), PROGRAM)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configOf()))
  const tsc = resolve('node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  const what = "`examples/queue.ts` and the session store type-check against the Agent SDK's types"
  return [{ version, what, isRight: status === 0, seen: stdout }]
}

function configOf(): object {
  const compilerOptions = {
    types: ['node'],
    typeRoots: [resolve('node_modules', '@types')],
    composite: false,
    isolatedDeclarations: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    preserveSymlinks: true,
  }
  return { extends: resolve('tsconfig.base.json'), compilerOptions, files: ['program.ts'] }
}

/** The SDK and what it depends on, the core and the example, as modules of one folder. */
function linkModules(folder: string, sdk: string): void {
  const modules = join(folder, 'node_modules')
  const own = join(sdk, 'node_modules')
  for (const scope of ['@dagline', '@anthropic-ai']) mkdirSync(join(modules, scope), { recursive: true })
  symlinkSync(resolve('packages', 'core'), join(modules, '@dagline', 'core'))
  symlinkSync(resolve('examples'), join(modules, 'dagline-examples'))
  for (const name of readdirSync(own))
    if (!existsSync(join(modules, name))) symlinkSync(join(own, name), join(modules, name))
  for (const name of readdirSync(join(own, '@anthropic-ai')))
    symlinkSync(join(own, '@anthropic-ai', name), join(modules, '@anthropic-ai', name))
}
