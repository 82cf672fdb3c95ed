/** What the files of one folder may import, beside files of the same folder. */
export interface ImportRule {
  /** `package` or `package/folder`: the files it holds for; the most special rule counts. */
  readonly from: string
  /** Folders of this repository, and packages from outside (`node:*` stands for all of Node). */
  readonly may: readonly string[]
  /** Folders of which only types may be imported. */
  readonly types?: readonly string[]
}

/** What all use cases of the application stand on, from the bottom up. */
const APP_BASE = 'host text files workers index graphs contents locate'

/** The layers of dagline. Who changes this table changes the architecture. */
export const IMPORT_RULES: readonly ImportRule[] = [
  ...foldersOf('core', [], {
    model: '',
    parse: 'model',
    content: 'model parse, types of protocol',
    graph: 'model format',
    files: 'model parse format',
    view: 'model graph protocol parse content measure',
    blame: 'model format, types of protocol',
    resume: 'model graph parse',
    edit: 'model graph parse resume',
    faults: 'model graph parse resume edit',
    measure: 'model graph, types of protocol',
    tables: 'model parse graph measure view, types of protocol',
    lessons: 'model graph measure',
    waste: 'model graph measure format',
    protocol: 'model',
    redact: 'model',
    queue: 'model',
    open: 'model parse content graph view measure protocol files',
    format: '',
    platform: 'model',
  }),
  { from: 'core', may: ['core/*'] },
  ...foldersOf('store', ['core', 'node:*'], {
    files: '',
    db: 'files',
    archive: 'files db',
    sync: 'files db archive',
    names: 'files db',
    write: 'files db',
    move: 'files db write',
    'session-store': 'archive db files',
  }),
  // Patterns need a watchdog (node:vm) and give way to other work (node:timers/promises).
  ...foldersOf('store', ['core', 'node:vm', 'node:timers/promises'], { query: 'files db' }),
  { from: 'store', may: ['store/*'] },
  ...foldersOf('app', ['core', 'store', 'node:*'], {
    host: '',
    text: 'host',
    files: 'host text',
    // The table of tasks is in the root: a worker is started by a name in it.
    workers: 'host text files, types of app',
    index: 'host text files workers',
    graphs: 'host text files workers index, types of app',
    contents: 'host text files workers index graphs',
    locate: 'host text files workers index graphs contents',
    archive: APP_BASE,
    measure: APP_BASE,
    compare: `${APP_BASE} measure`,
    search: APP_BASE,
    blame: APP_BASE,
    edits: APP_BASE,
    health: APP_BASE,
    live: `${APP_BASE} export health`,
    actions: `${APP_BASE} edits archive, types of app`,
    pages: `${APP_BASE} live search compare health export`,
    questions: `${APP_BASE} measure search live`,
  }),
  ...foldersOf('app', ['core', 'store', 'node:*', 'hyparquet-writer'], { tables: APP_BASE }),
  ...foldersOf(
    'app',
    [
      ...['core', 'store', 'node:*', 'hyparquet-writer'],
      ...['@secretlint/core', '@secretlint/secretlint-rule-preset-recommend'],
    ],
    { export: `${APP_BASE} measure tables s3` },
  ),
  ...foldersOf('app', ['core', 'node:*', 'aws4fetch'], { s3: 'host' }),
  ...foldersOf('app', ['core', 'store', 'node:*'], { sql: `${APP_BASE} tables export` }),
  { from: 'app', may: ['app/*', 'core', 'store', 'node:*'] },
  { from: 'server', may: ['core', 'app', 'node:*', 'hono', '@hono/node-server', 'zod'] },
  { from: 'mcp', may: ['core', 'app', 'node:*', '@modelcontextprotocol/server', 'zod'] },
  ...foldersOf('hub', ['core', 'store', 'node:*'], {
    model: '',
    index: 'model db',
    raw: 'model db',
    'session-store': 'model db raw',
    access: 'model db',
    // It removes what policies of access let expire.
    judge: 'model db index raw access',
  }),
  // Its errors are those of the store.
  ...foldersOf('hub', ['core', 'store', 'node:*', 'pg'], { db: 'model' }),
  ...foldersOf('hub', ['core', 'store', 'app', 'node:*', 'zod'], {
    push: 'model raw db access',
    remote: 'raw push',
  }),
  ...foldersOf(
    'hub',
    ['core', 'store', 'app', 'server', 'node:*', 'hono', '@hono/node-server', 'openid-client', 'zod'],
    { serve: 'model db index raw access judge push' },
  ),
  { from: 'hub', may: ['hub/*', 'core', 'store', 'app', 'server', 'node:*'] },
  {
    from: 'cli',
    may: ['core', 'app', 'server', 'mcp', 'hub', 'node:*', 'commander', '@clack/prompts', 'picocolors'],
  },
  ...foldersOf('web', ['core', 'preact', '@preact/signals'], {
    app: '',
    parts: 'app',
    session: 'tools text charts parts app',
    pages: 'session charts text parts app',
    demo: 'session',
  }),
  ...foldersOf('web', ['core', 'preact', 'diff'], { text: 'app parts' }),
  ...foldersOf('web', ['core', 'preact'], { tools: 'text parts', charts: 'parts' }),
  { from: 'web', may: ['web/*', 'core', 'preact'] },
  ...foldersOf('testkit', [], { base: '', shape: 'base', gen: 'base shape' }),
  ...foldersOf('testkit', ['node:*'], { corrupt: 'base gen', recordings: 'base' }),
  { from: 'testkit', may: ['testkit/*', 'node:*'] },
]

/** Modules that exactly one file may import. */
export const ONLY: Readonly<Record<string, string>> = { 'node:sqlite': 'packages/store/src/db/driver.ts' }

/**
 * Rules of folders of one package. Each names the folders of its own package that it may import (`files db`), and those of
 * which it may import types only (`files, types of db`); the name of the package stands for its root. All of them may
 * import what lies `below` the package.
 */
function foldersOf(
  name: string,
  below: readonly string[],
  folders: Readonly<Record<string, string>>,
): ImportRule[] {
  const inPackage = (words: string): string[] =>
    words.split(' ').map(folder => (folder === name ? name : `${name}/${folder}`))
  return Object.entries(folders).map(([folder, allowed]) => {
    const [may = '', types] = allowed.split(', types of ')
    const within = may === '' ? [] : inPackage(may)
    return {
      from: `${name}/${folder}`,
      may: [...within, ...below],
      ...(types === undefined ? {} : { types: inPackage(types) }),
    }
  })
}

/** Files that only their own folder may import: the columns of the graph. Others ask by `core/graph/nodes.ts`. */
export const INNER_FILES: readonly string[] = ['table', 'state'].map(
  name => `packages/core/src/graph/${name}.js`,
)

/** The table as Markdown, for docs/ARCHITECTURE.md. */
export function importTable(): string {
  const rows = IMPORT_RULES.map(rule => `| \`${rule.from}\` | ${describeRule(rule)} |`)
  const only = Object.entries(ONLY).map(([name, file]) => `| \`${file}\` | alone also \`${name}\` |`)
  return ['| From | May import |', '|---|---|', ...rows, ...only].join('\n')
}

function describeRule({ may, types = [] }: ImportRule): string {
  const parts = [...may.map(name => `\`${name}\``), ...types.map(name => `types of \`${name}\``)]
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}
