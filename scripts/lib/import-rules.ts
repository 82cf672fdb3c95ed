/** What the files of one folder may import, beside files of the same folder. */
export interface ImportRule {
  /** `package` or `package/folder`: the files it holds for; the most special rule counts. */
  readonly from: string
  /** Folders of this repository, and packages from outside (`node:*` stands for all of Node). */
  readonly may: readonly string[]
  /** Folders of which only types may be imported. */
  readonly types?: readonly string[]
  /** Modules that exactly one file may import. */
  readonly only?: Readonly<Record<string, string>>
}

/** What all use cases of the application stand on, from the bottom up: each may import those above it in this list. */
const APP_BASE = ['host', 'text', 'files', 'workers', 'index', 'graphs', 'contents', 'locate'] as const

/** The use cases of the application, each with the others that it may import. */
const APP_USE_CASES: Readonly<Record<string, readonly string[]>> = {
  measure: [],
  compare: ['measure'],
  search: [],
  edits: [],
  health: [],
  export: ['measure'],
  live: ['export', 'health'],
  pages: ['live', 'compare', 'health', 'export'],
}

const inApp = (folder: string): string => `app/${folder}`

function appRules(): readonly ImportRule[] {
  const outside = ['core', 'store', 'node:*']
  return [
    ...APP_BASE.map((folder, place) => ({
      from: inApp(folder),
      may: [...APP_BASE.slice(0, place).map(inApp), ...outside],
      // The table of tasks is in the root: a worker is started by a name in it.
      ...(folder === 'workers' || folder === 'graphs' ? { types: ['app'] } : {}),
    })),
    ...Object.entries(APP_USE_CASES).map(([folder, others]) => ({
      from: inApp(folder),
      may: [...APP_BASE, ...others]
        .map(inApp)
        .concat(outside, folder === 'export' ? ['hyparquet-writer'] : []),
    })),
  ]
}

/** The layers of dagline. Who changes this table changes the architecture. */
export const IMPORT_RULES: readonly ImportRule[] = [
  { from: 'core/model', may: [] },
  { from: 'core/parse', may: ['core/model'] },
  { from: 'core/content', may: ['core/model', 'core/parse'], types: ['core/protocol'] },
  { from: 'core/graph', may: ['core/model', 'core/format'] },
  { from: 'core/view', may: ['core/model', 'core/graph', 'core/protocol'] },
  { from: 'core/resume', may: ['core/model', 'core/graph', 'core/parse'] },
  { from: 'core/edit', may: ['core/model', 'core/graph', 'core/parse', 'core/resume'] },
  { from: 'core/faults', may: ['core/model', 'core/graph', 'core/parse', 'core/resume', 'core/edit'] },
  { from: 'core/measure', may: ['core/model', 'core/graph'], types: ['core/protocol'] },
  { from: 'core/protocol', may: ['core/model'] },
  { from: 'core/redact', may: ['core/model'] },
  { from: 'core/queue', may: ['core/model'] },
  { from: 'core/format', may: [] },
  { from: 'core', may: ['core/*'] },
  { from: 'store/files', may: ['core', 'node:*'] },
  {
    from: 'store/db',
    may: ['store/files', 'core', 'node:*'],
    only: { 'node:sqlite': 'packages/store/src/db/driver.ts' },
  },
  { from: 'store/archive', may: ['store/files', 'store/db', 'core', 'node:*'] },
  { from: 'store/sync', may: ['store/files', 'store/db', 'store/archive', 'core', 'node:*'] },
  { from: 'store/query', may: ['store/files', 'store/db', 'core'] },
  { from: 'store/names', may: ['store/files', 'store/db', 'core', 'node:*'] },
  { from: 'store/write', may: ['store/files', 'store/db', 'core', 'node:*'] },
  { from: 'store/move', may: ['store/files', 'store/db', 'store/write', 'core', 'node:*'] },
  { from: 'store', may: ['store/*'] },
  ...appRules(),
  { from: 'app', may: ['app/*', 'core', 'store'] },
  { from: 'server', may: ['core', 'app', 'node:*', 'hono', '@hono/node-server', 'zod'] },
  {
    from: 'cli',
    may: ['core', 'app', 'server', 'node:*', 'commander', '@clack/prompts', 'picocolors'],
  },
  { from: 'web/app', may: ['core', 'preact', '@preact/signals'] },
  { from: 'web/parts', may: ['web/app', 'core', 'preact', '@preact/signals'] },
  { from: 'web/text', may: ['web/app', 'web/parts', 'core', 'preact', 'diff'] },
  { from: 'web/tools', may: ['web/text', 'web/parts', 'core', 'preact'] },
  { from: 'web/charts', may: ['web/parts', 'core', 'preact'] },
  {
    from: 'web/session',
    may: ['web/tools', 'web/text', 'web/parts', 'web/app', 'core', 'preact', '@preact/signals'],
  },
  {
    from: 'web/pages',
    may: [
      'web/session',
      'web/charts',
      'web/text',
      'web/parts',
      'web/app',
      'core',
      'preact',
      '@preact/signals',
    ],
  },
  { from: 'web', may: ['web/*', 'core', 'preact'] },
  { from: 'testkit/base', may: [] },
  { from: 'testkit/shape', may: ['testkit/base'] },
  { from: 'testkit/gen', may: ['testkit/base', 'testkit/shape'] },
  { from: 'testkit/corrupt', may: ['testkit/base', 'testkit/gen', 'node:*'] },
  { from: 'testkit/recordings', may: ['testkit/base', 'node:*'] },
  { from: 'testkit', may: ['testkit/*', 'node:*'] },
]

/** Files that only their own folder may import: the columns of the graph. Others ask by `core/graph/nodes.ts`. */
export const INNER_FILES: readonly string[] = ['table', 'state'].map(
  name => `packages/core/src/graph/${name}.js`,
)

/** Known debt: `file -> module` pairs that break the table and are to go. May only shrink. */
export const IMPORT_DEBT: readonly string[] = []

/** The table as Markdown, for docs/ARCHITECTURE.md. */
export function importTable(): string {
  const rows = IMPORT_RULES.map(rule => `| \`${rule.from}\` | ${describeRule(rule)} |`)
  return ['| From | May import |', '|---|---|', ...rows].join('\n')
}

function describeRule(rule: ImportRule): string {
  const parts = [
    ...rule.may.map(name => `\`${name}\``),
    ...(rule.types ?? []).map(name => `types of \`${name}\``),
    ...Object.entries(rule.only ?? {}).map(([name, file]) => `\`${name}\` in \`${file}\` only`),
  ]
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}
