/**
 * S8, L12: totals agree. Every figure that two places show is read from each of them, in conversations of chance: commands
 * and their JSON, the routes of the page, exports, tables for SQL, and tools for Claude.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { exactMoney } from '@dagline/core/format'
import { sumOf as sum, sumCosts } from '@dagline/core/model'
import {
  type AgentsPage,
  type Comparison,
  type ContextBandPage,
  type ContextPage,
  cardsIn,
  type HealthPage,
  type Home,
  ROW_MARKS,
  type Sheet,
  type UsagePage,
  type WastePage,
} from '@dagline/core/protocol'
import { FIRST_CHOICE, isLeftBranch, isMarked } from '@dagline/core/view'
import { STYLE_NAMES, until } from '@dagline/testkit'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { expect, it, onTestFinished } from 'vitest'
import { findCorpus } from '../../core/test/corpus.js'
import { mcpServers } from '../../mcp/src/server.js'
import { serveFolder, writeShape } from '../../server/test/world.js'
import { World } from '../../store/test/world.js'
import { collectFacts } from '../../web/src/session/facts.js'
import { branchesAt, type ForkBranch } from '../../web/src/session/fork-branches.js'
import { buildView, type View } from '../../web/src/session/view.js'
import { unpackPage } from './export-files.js'
import { runHere } from './in-process.js'

const RUNS = Number(process.env['DAGLINE_RUNS'] ?? 4)
/**
 * Rewinds within an abandoned branch, a skill, local commands, subagents, one of a session that is gone, a warm-up, and forks
 * into sessions of their own: of an abandoned branch, and behind a subagent.
 */
const SHAPE = `
  s1: u1 a1 u2 a2 u6 a6 / s1: a2 > u7@+10m a7 / s1: a1 > u3@+1h a3[t1:Task>x] / s1/x: u20 a20 / s1: a3 > r1[t1>x] a4
  s2: l1"<command-name>/review</command-name><command-args>12</command-args>" a8 m1 l2 o2
  s3/y: u21"find it" a21
  s4/z: u22"Warmup" a22
  s6: u30 a30 m30 l30 o30 c30 k30 u31 a31 c31 k31 u32 a32
  s5: u10 a10 u11 a11 / s5: a10 > u12@+1h a12 u13 a13 / s5: a12 > u14@+2h a14
  s7: a6 > u40@+3h a40 / s8: a4 > u41@+3h a41
`

interface Session {
  readonly session: string
  readonly project: string
  readonly title: string | null
  readonly turns: number
  readonly branches: number
  readonly agents: number
  readonly called?: number
}

interface Listed {
  readonly sessions: readonly Session[]
}

interface Spent {
  readonly messages: number
  readonly output: number
  readonly costUSD: number | null
}

interface Stats {
  readonly totals: Spent & Readonly<Record<'sessions' | 'idle' | 'projects' | 'entries', number>>
  readonly flows: readonly { readonly turns: number }[]
  readonly agents: readonly { readonly invocations: number; readonly states: { readonly warmup: number } }[]
  readonly rewinds: {
    readonly rewinds: number
    readonly twoWriters: number
    readonly left: readonly (Spent & { readonly branches: number })[]
  }
}

interface Usage {
  readonly totals: Spent
  readonly rows: readonly Spent[]
}

interface ForkJson {
  readonly children: readonly (Spent & { readonly node: string; readonly line: string })[]
}

/** A home with the commands and the server on it. */
async function openPlaces(root: string) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'dagline-figures-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const world = { env: { XDG_CACHE_HOME: home, XDG_DATA_HOME: home, HOME: home }, isTerminal: false }
  const run = async (...words: string[]): Promise<string> => {
    const ran = await runHere([...words, '--root', root], world)
    expect({ words, code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({
      words,
      code: 0,
      stderr: '',
    })
    return ran.stdout
  }
  const json = async <T>(...words: string[]): Promise<T> => JSON.parse(await run(...words, '--json'))
  const { value } = await serveFolder(root, { isExamined: true })
  return { run, json, value, home, root }
}

type Places = Awaited<ReturnType<typeof openPlaces>>

/** Figures by name: what each place says. */
type Figures = Record<string, Record<string, unknown>>

const dollars = (cost: number | null): number => cost ?? 0

/** Sums of money differ in their last digits with the order of adding. */
function areEqual(said: readonly unknown[]): boolean {
  const [first] = said
  return said.every(each =>
    typeof each === 'number' && typeof first === 'number'
      ? Math.abs(each - first) < 1e-9 * Math.max(1, Math.abs(first))
      : each === first,
  )
}

/** Asks until the work behind the answer is done. */
async function agentsPage({ value }: Places): Promise<AgentsPage> {
  const ask = (): Promise<AgentsPage> => value<AgentsPage>('/api/agents')
  return await until(ask, ({ survey }) => survey.done === survey.of, 5)
}

/** The same of the examination. */
async function healthPage({ value }: Places): Promise<HealthPage> {
  const ask = (): Promise<HealthPage> => value<HealthPage>('/api/health')
  return await until(ask, ({ troubled, isExamining }) => troubled !== null && !isExamining, 5)
}

const SWEPT = 'swept-soon'

/** What summaries say in conversations of chance. */
const SUMMARY = 'Earlier work'

interface Doctor {
  readonly totals: {
    readonly sessions: number
    readonly ill: number
    readonly reach: { readonly now: number; readonly possible: number }
  }
  readonly sessions: readonly { readonly faults: readonly { readonly id: string }[] }[]
}

/** D13: what the doctor and the page of health say of everything. */
async function healthFigures(places: Places): Promise<Figures> {
  const { totals: sums, sessions } = await places.json<Doctor>('doctor', '--all')
  const page = await healthPage(places)
  const figures: Figures = {
    'sessions examined': { doctor: sums.sessions, health: page.sessions },
    'sessions with problems': { doctor: sums.ill, health: page.troubled },
    'entries that load': { doctor: sums.reach.now, health: page.reach.now },
    'entries that could load': { doctor: sums.reach.possible, health: page.reach.possible },
    'kinds of problems': {
      // What will be deleted has a part of its own on the page.
      doctor: new Set(sessions.flatMap(({ faults }) => faults.flatMap(({ id }) => (id === SWEPT ? [] : id))))
        .size,
      health: page.kinds.length,
    },
  }
  for (const kind of page.kinds)
    figures[`sessions with ${kind.id}`] = {
      doctor: sessions.filter(({ faults }) => faults.some(({ id }) => id === kind.id)).length,
      health: kind.sessions,
    }
  return figures
}

interface AgentJson {
  readonly agent: string | null
  readonly type: string
  readonly state: string
  readonly tools: number
  readonly tokens: number
  readonly costUSD: number | null
}

/** Subagents by type, as the command and the page list them. */
async function agentFigures(places: Places): Promise<Figures> {
  const { agents } = await places.json<{ agents: readonly AgentJson[] }>('agents')
  const { kinds, found } = await agentsPage(places)
  const figures: Figures = { 'listed subagents': { agents: agents.length, page: found } }
  for (const kind of kinds) {
    const own = agents.filter(({ type }) => type === kind.name)
    figures[`subagents of ${kind.name}`] = { agents: own.length, page: kind.runs }
    figures[`missing of ${kind.name}`] = {
      agents: own.filter(({ state }) => state === 'missing').length,
      page: kind.missing,
    }
    figures[`tool calls of ${kind.name}`] = { agents: sum(own, each => each.tools), page: kind.tools }
    figures[`tokens of ${kind.name}`] = { agents: sum(own, each => each.tokens), page: kind.tokens }
    figures[`cost of ${kind.name}`] = {
      agents: dollars(sumCosts(own.map(each => each.costUSD))),
      page: dollars(kind.cost),
    }
  }
  return figures
}

interface WasteJson {
  readonly waste: readonly unknown[]
  readonly kinds: readonly {
    readonly kind: string
    readonly count: number
    readonly costUSD: number | null
  }[]
  readonly wasted: { readonly tokens: number; readonly costUSD: number | null }
  readonly used: { readonly costUSD: number | null; readonly messages: number }
}

/** What was paid for in vain, of what was used. */
async function wasteFigures({ json, value }: Places): Promise<Figures> {
  const told = await json<WasteJson>('waste')
  const page = await value<WastePage>('/api/waste')
  const usage = await json<Usage>('usage')
  return {
    'items of waste': {
      waste: told.waste.length,
      page: page.count,
      kinds: sum(told.kinds, each => each.count),
    },
    'kinds of waste': {
      waste: told.kinds.map(({ kind, count, costUSD }) => `${kind} ${count} ${exactMoney(costUSD)}`).join(),
      page: page.kinds.map(({ kind, count, costUSD }) => `${kind} ${count} ${exactMoney(costUSD)}`).join(),
    },
    'tokens wasted': { waste: told.wasted.tokens, page: page.wasted.tokens },
    'cost wasted': { waste: dollars(told.wasted.costUSD), page: dollars(page.wasted.costUSD) },
    'cost of what was used': {
      waste: dollars(told.used.costUSD),
      page: dollars(page.used.costUSD),
      usage: dollars(usage.totals.costUSD),
    },
    'messages used': { waste: told.used.messages, page: page.used.messages, usage: usage.totals.messages },
  }
}

/** What the tables for SQL and the tools for Claude say of everything. */
async function tableFigures(places: Places): Promise<Figures> {
  const { json, home, root } = places
  const usage = await json<Usage>('usage')
  const { sessions: all } = await json<Listed>('ls', '--all')
  const { branches } = await json<{ branches: readonly unknown[] }>('branches')
  const ask = async (query: string): Promise<number> => {
    const { rows } = await json<{ rows: readonly Readonly<Record<string, number>>[] }>('sql', query)
    return Number(Object.values(rows[0] ?? {})[0] ?? 0)
  }
  const tool = await mcpUsage({ root, index: join(home, 'tools.db') })
  return {
    'API messages in tables': {
      usage: usage.totals.messages,
      sql: await ask('select count(*) as n from usage'),
      tool: tool.messages,
    },
    'cost in tables': {
      usage: dollars(usage.totals.costUSD),
      sql: dollars(await ask('select sum(cost_usd) as cost from usage')),
    },
    'cost in words': { usage: exactMoney(usage.totals.costUSD ?? 0), tool: tool.cost },
    'sessions in tables': {
      ls: all.length,
      sql: await ask('select count(distinct session) as n from sessions'),
    },
    'branches over all sessions': { ls: sum(all, each => each.branches), branches: branches.length },
  }
}

/** What the tool for Claude says of the usage of everything. */
async function mcpUsage({ root, index }: { readonly root: string; readonly index: string }) {
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const report = (error: unknown): never => {
    throw error
  }
  const options = { roots: [root], index, here: null, session: null, isRedacted: false, report }
  await mcpServers(options)().connect(theirs)
  await client.connect(ours)
  const { content } = await client.callTool({ name: 'usage', arguments: { everywhere: true } })
  await client.close()
  const [{ text = '' } = {}] = content as readonly { readonly text?: string }[]
  const [, messages = '', cost = ''] = /([\d,]+) API messages?, .* (\S+)\.\n/.exec(text) ?? []
  return { messages: Number(messages.replaceAll(',', '')), cost }
}

interface RequestJson {
  readonly file: string
  readonly reply: readonly string[]
  readonly entries: readonly string[]
  readonly tokens: { readonly total: number | null; readonly parts: Readonly<Record<string, number>> }
}

/** V27: the requests of a session, as `context`, the bands and the panel of the page show them. */
async function requestFigures({ json, value }: Places, { session }: Session): Promise<Figures> {
  const { contexts } = await json<{ contexts: readonly RequestJson[] }>('context', session, '--all')
  const { conversations } = await value<ContextBandPage>(`/api/sessions/${session}/contexts`)
  const figures: Figures = {}
  let answers = 0
  for (const { agent } of conversations) {
    const query = agent === null ? '' : `?agent=${encodeURIComponent(agent)}`
    const { band } = await value<ContextBandPage>(`/api/sessions/${session}/contexts${query}`)
    answers += band.answers
    for (const [item, node] of band.node.slice(0, MOST_REQUESTS).entries()) {
      const told = contexts.find(({ reply }) => reply.includes(node))
      const panel = await value<ContextPage>(`/api/nodes/${node}/context?session=${session}`)
      figures[`request of ${node}`] = {
        context: requestText(told),
        panel: requestText(panel.context),
      }
      figures[`tokens of ${node}`] = { context: told?.tokens.total, band: band.total[item] }
      figures[`number of ${node}`] = { band: band.answer[item], panel: panel.answer }
    }
  }
  // S8: warm-ups are no conversations that anybody looks at.
  const { agents } = await json<{ agents: readonly AgentJson[] }>('agents', session, '--all')
  const warmups = new Set(agents.flatMap(({ agent, state }) => (state === 'warmup' ? `agent-${agent}` : [])))
  const shown = contexts.filter(({ file }) => !warmups.has(basename(file, '.jsonl')))
  figures['requests of the session'] = { context: shown.length, bands: answers }
  return figures
}

/** Requests that are looked at in detail. */
const MOST_REQUESTS = 10

function requestText(request: RequestJson | undefined): string {
  const { parts = {}, total } = request?.tokens ?? {}
  const categories = Object.entries(parts).map(([name, tokens]) => `${name} ${tokens}`)
  return `${total} of ${categories.sort().join(', ')}; ${request?.entries.join(' ')}`
}

interface Exported {
  readonly sessions: readonly { readonly id: string; readonly title: string | null }[]
  readonly totals: { readonly placed: number }
  readonly contents: readonly unknown[]
}

/** The figures of one session that its exports show, beside those of the page and of commands. */
async function exportFigures({ json, run, value, home }: Places, session: Session): Promise<Figures> {
  const { session: id } = session
  const print = (format: string): Promise<string> =>
    run('export', id, '--format', format, '--branch', 'all', '--out', '-', '--allow-secrets')
  const sheet = await value<Sheet>(`/api/sessions/${id}`)
  const page: Sheet = JSON.parse(unpackPage(await print('html')).get('sheet') ?? '')
  const data: Exported = JSON.parse(await print('json'))
  const [, title = '', head = ''] = /^# (.*)\n\n(Session .*)\.\n/m.exec(await print('md')) ?? []
  const inHead = (what: string): number =>
    Number(new RegExp(`, ([\\d,]+) ${what}`).exec(head)?.[1]?.replaceAll(',', '') ?? 0)
  const folder = join(home, `tables-${id}`)
  await run('export', id, '--format', 'parquet', '--out', folder, '--allow-secrets')
  const table = async (name: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    await parquetReadObjects({ file: await asyncBufferFromFile(join(folder, `${name}.parquet`)) })
  const usage = await table('usage')
  const counted = usage.filter(row => row['session'] === id)
  const { totals: spent } = await json<Usage>('usage', '--session', id).catch(() => NO_USAGE)
  const cost = (of: Sheet): number => dollars(collectFacts(of).totals.cost)
  const left = (of: Sheet): number =>
    of.lines.filter((line, at) => !line.isShared && isLeftBranch(of, at)).length
  return {
    'title in exports': {
      html: page.session.title,
      json: data.sessions.find(each => each.id === id)?.title ?? null,
      sheet: sheet.session.title,
    },
    'title in Markdown': { md: title, ls: markdownTitle(session, title) },
    'messages in exports': { md: inHead('messages?'), html: messagesIn(page), sheet: messagesIn(sheet) },
    'branches in exports': { md: inHead('abandoned branch'), html: left(page), ls: session.branches },
    'subagents in exports': {
      md: inHead('subagents?'),
      html: collectFacts(page).totals.agents,
      ls: session.agents,
    },
    'rows in exports': {
      html: page.rows.node.length,
      sheet: sheet.rows.node.length,
      json: data.contents.length,
      parquet: (await table('nodes')).length,
    },
    'cost in exports': {
      html: cost(page),
      sheet: cost(sheet),
      // Of shared history the table names the session that owns it.
      parquet: dollars(
        sumCosts(usage.filter(row => row['session'] === id).map(row => Number(row['cost_usd']))),
      ),
    },
    'cost in Markdown': {
      md: costIn(head),
      sheet: costIn(`, ${exactMoney(collectFacts(sheet).totals.cost)}`),
    },
    ...(await transcriptFigures(sheet, await print('jsonl'))),
    'API messages in exports': { parquet: counted.length, usage: spent.messages },
    'output tokens in exports': {
      parquet: counted.reduce((sum, row) => sum + Number(row['output']), 0),
      usage: spent.output,
    },
  }
}

/** The figures of an exported transcript, which is read as the only one of its project. */
async function transcriptFigures(sheet: Sheet, text: string): Promise<Figures> {
  const { id, title } = sheet.session
  const root = newRoot()
  mkdirSync(join(root, '-home-dev-again'), { recursive: true })
  writeFileSync(join(root, '-home-dev-again', `${id}.jsonl`), text)
  const { stdout } = await runHere(['ls', '--all', '--json', '--root', root], {
    env: { HOME: root },
    isTerminal: false,
  })
  const { sessions }: Listed = JSON.parse(stdout)
  const turns = sheet.rows.line.filter(
    (line, row) => sheet.lines[line]?.depth === 0 && isMarked(sheet, row, ROW_MARKS.turn),
  )
  const figures = { 'turns in JSONL': { jsonl: sum(sessions, each => each.turns), sheet: turns.length } }
  // History of another session stands at the beginning of it, and its prompt may be the title then. A summary names a
  // session of another file, which is not exported. Of subagents alone the first file tells the title, and here is one.
  const isOfOthers = sheet.lines.some(({ isShared }) => isShared) || title === SUMMARY
  if (isOfOthers || sheet.lines.every(line => line.kind !== 'trunk' || line.head < 0)) return figures
  const [again] = sessions
  return { ...figures, 'title in JSONL': { jsonl: again?.title ?? null, sheet: title } }
}

/** What the index page of an exported project says of its sessions. */
async function indexFigures({ json, run, value, home }: Places): Promise<Figures> {
  const { sessions } = await json<Listed>('ls', '--all')
  const cards = cardsIn(await value<Home>('/api/home?count=1000&idle=1'))
  const figures: Figures = {}
  for (const project of new Set(sessions.map(each => each.project))) {
    const folder = join(home, `pages-${project}`)
    await run('export', '--project', project, '--out', folder, '--allow-secrets')
    const index = readFileSync(join(folder, 'index.html'), 'utf8')
    const rows = [...index.matchAll(/<a href="([^"]*)\.html">.*?<small>(.*?)<\/small>/g)]
    figures[`sessions of ${project}`] = {
      index: rows.length,
      ls: (await json<Listed>('ls', '--project', project)).sessions.length,
    }
    for (const [, id = '', facts = ''] of rows) {
      const session = sessions.find(each => each.session === id)
      const said = (what: string): number => Number(new RegExp(`([\\d,]+) ${what}`).exec(facts)?.[1] ?? 0)
      const cost = cards.find(card => card.session === id)?.cost ?? null
      figures[`turns of ${id}`] = { index: said('turn'), ls: session?.turns }
      figures[`branches of ${id}`] = { index: said('abandoned'), ls: session?.branches }
      figures[`subagents of ${id}`] = { index: said('subagent'), ls: session?.agents }
      figures[`cost of ${id}`] = {
        index: /\$[\d.,]+/.exec(facts)?.[0] ?? '$0.00',
        home: `$${(cost ?? 0).toFixed(2)}`,
      }
    }
  }
  return figures
}

/** The cost at the end of the facts of a Markdown document; none where nothing was spent. */
function costIn(head: string): string | null {
  const cost = /, (\$[\d.,]+)$/.exec(head)?.[1] ?? null
  return cost === exactMoney(0) ? null : cost
}

function messagesIn({ rows }: Sheet): number {
  return rows.marks.filter(marks => (marks & ROW_MARKS.message) !== 0).length
}

/** The title as a heading shows it: a long one is cut. */
function markdownTitle({ title, session }: Session, shown: string): string {
  const whole = title ?? session
  return shown.endsWith('…') ? `${whole.slice(0, shown.length - 1)}…` : whole
}

/** The totals of everything. */
async function totals(places: Places): Promise<Figures> {
  const { json, run, value } = places
  const { sessions: listed } = await json<Listed>('ls')
  const { sessions: all } = await json<Listed>('ls', '--all')
  const { sessions: tree } = await json<Listed>('tree')
  const stats = await json<Stats>('stats')
  const graph = await json<{ sessions: unknown[]; totals: { placed: number; rewinds: number } }>('graph')
  const usage = await json<Usage>('usage')
  const bySession = await json<Usage>('usage', '--by', 'session')
  const abandoned = await json<Usage>('usage', '--branch', 'abandoned')
  const home = await value<Home>('/api/home?count=1000')
  const page = await value<UsagePage>('/api/usage?by=branch')
  const agents = await agentsPage(places)
  const overview = await run('--no-open')
  return {
    sessions: {
      ls: listed.length,
      stats: stats.totals.sessions,
      tree: tree.length,
      home: home.sessions,
      'rows of home': cardsIn(home).length,
      overview: Number(/^([\d,]+) session/.exec(overview)?.[1] ?? 0),
    },
    'idle sessions': { ls: all.length - listed.length, stats: stats.totals.idle, home: home.sums.idle },
    'all sessions': { ls: all.length, graph: graph.sessions.length },
    projects: {
      ls: new Set(listed.map(({ project }) => project)).size,
      stats: stats.totals.projects,
      tree: new Set(tree.map(({ project }) => project)).size,
      overview: Number(/in ([\d,]+) project/.exec(overview)?.[1] ?? 0),
      home: home.sums.projects,
    },
    turns: {
      ls: sum(all, ({ turns }) => turns),
      stats: sum(stats.flows, ({ turns }) => turns),
    },
    'turns of listed sessions': { ls: sum(listed, s => s.turns), home: sum(cardsIn(home), s => s.turns) },
    'abandoned branches': {
      ls: sum(all, ({ branches }) => branches),
      stats: sum(stats.rewinds.left, ({ branches }) => branches),
      home: sum(cardsIn(home), s => s.branches) + sum(all, s => (isIn(listed, s) ? 0 : s.branches)),
    },
    'cost of abandoned branches': {
      usage: dollars(abandoned.totals.costUSD),
      'page of usage': dollars(page.abandoned.cost),
      stats: dollars(sumCosts(stats.rewinds.left.map(({ costUSD }) => costUSD))),
    },
    'abandoned branches with a cost': {
      'page of usage': page.abandonedBranches,
      usage: abandoned.rows.length,
    },
    subagents: {
      ls: sum(all, s => s.agents + (s.called ?? 0)),
      stats: sum(stats.agents, row => row.invocations - row.states.warmup),
      agents: sum(agents.kinds, ({ runs }) => runs),
    },
    entries: { stats: stats.totals.entries, graph: graph.totals.placed },
    'forks with branches': {
      stats: stats.rewinds.rewinds + stats.rewinds.twoWriters,
      graph: graph.totals.rewinds,
    },
    'API messages': {
      usage: usage.totals.messages,
      'usage by session': sum(bySession.rows, ({ messages }) => messages),
      stats: stats.totals.messages,
      'page of usage': page.totals.messages,
    },
    cost: {
      usage: dollars(usage.totals.costUSD),
      'page of usage': dollars(page.totals.cost),
      stats: dollars(stats.totals.costUSD),
    },
  }
}

/** The figures of one session. */
async function figuresOf({ json, run, value }: Places, session: Session): Promise<Figures> {
  const { session: id } = session
  const sheet = await value<Sheet>(`/api/sessions/${id}`)
  const [head = ''] = (await run('log', id)).split('\n')
  // A long title is cut.
  const logged = head.slice(id.length + 2).replace(/…$/, '')
  const [listed] = (await json<Listed>('ls', id, '--all')).sessions
  const usage = await json<Usage>('usage', id).catch(() => NO_USAGE)
  const option = await json<Usage>('usage', '--session', id).catch(() => NO_USAGE)
  const own = sheet.rows.node.filter((_, row) => isOwnTurn(sheet, row))
  const { totals: page } = collectFacts(sheet)
  return {
    title: { ls: (session.title ?? '(no title)').slice(0, logged.length), log: logged },
    'title on the page': { ls: session.title, sheet: sheet.session.title, 'ls SESSION': listed?.title },
    turns: { ls: session.turns, 'ls SESSION': listed?.turns, sheet: own.length, page: page.turns },
    branches: {
      ls: session.branches,
      sheet: sheet.lines.filter((line, at) => !line.isShared && isLeftBranch(sheet, at)).length,
      page: page.abandoned.branches,
    },
    subagents: { ls: session.agents, page: page.agents },
    'API messages': { usage: usage.totals.messages, 'usage --session': option.totals.messages },
    cost: { usage: dollars(usage.totals.costUSD), 'usage --session': dollars(option.totals.costUSD) },
  }
}

/** The titles of all sessions. */
async function titles({ json, value }: Places): Promise<Figures> {
  const { sessions: all } = await json<Listed>('ls', '--all')
  const { sessions: tree } = await json<Listed>('tree', '--all')
  const { sessions: graph } = await json<{ sessions: readonly { id: string; title: string | null }[] }>(
    'graph',
  )
  const home = cardsIn(await value<Home>('/api/home?count=1000&idle=1'))
  const figures = all.map(({ session, title }): [string, Record<string, unknown>] => {
    const card = home.find(each => each.session === session)
    const said = {
      ls: title,
      tree: tree.find(each => each.session === session)?.title,
      graph: graph.find(({ id }) => id === session)?.title,
    }
    return [`title of ${session}`, card === undefined ? said : { ...said, home: card.title }]
  })
  return Object.fromEntries(figures)
}

const NO_USAGE: Usage = { totals: { messages: 0, output: 0, costUSD: null }, rows: [] }

function isOwnTurn(sheet: Sheet, row: number): boolean {
  const line = sheet.lines[sheet.rows.line[row] ?? -1]
  return line?.depth === 0 && !line.isShared && isMarked(sheet, row, ROW_MARKS.turn)
}

function isIn(listed: readonly Session[], { session }: Session): boolean {
  return listed.some(each => each.session === session)
}

/** L12: the branches of the forks of a session, as `branches`, the page and Compare count them. */
async function branchFigures({ json, value }: Places, { session }: Session): Promise<Figures> {
  const { forks } = await json<{ forks: readonly ForkJson[] }>('branches', session)
  const view = await viewOf(value, session)
  const figures: Figures = {}
  for (const { children } of forks) {
    const [a, b] = children
    if (a === undefined || b === undefined || children.length > 2) continue
    const compared = await value<Comparison>(`/api/compare?a=${a.node}&b=${b.node}`)
    for (const [nth, child] of [a, b].entries()) {
      const branch = shownBranch(view, child.node)
      if (branch === null) continue
      const side = compared.sides[nth]
      figures[`messages of ${child.line}`] = { branches: child.messages, page: branch.messages }
      figures[`cost of ${child.line}`] = {
        branches: dollars(child.costUSD),
        page: dollars(branch.cost),
        compare: dollars(side?.cost ?? null),
      }
    }
  }
  return figures
}

/** X8: what each compaction of a session dropped. */
async function compactionFigures({ json, value }: Places, { session }: Session): Promise<Figures> {
  const { epochs, rows } = await value<Sheet>(`/api/sessions/${session}`)
  const figures: Figures = {}
  for (const { row, dropped, isUnfinished } of epochs) {
    if (isUnfinished) continue
    const node = rows.node[row] ?? ''
    const told = await json<{ dropped: { messages: number } }>('diff', '--compaction', `${session}:${node}`)
    figures[`messages dropped at ${node}`] = { diff: told.dropped.messages, page: dropped }
  }
  return figures
}

async function viewOf(value: Places['value'], session: string): Promise<View> {
  const sheet = await value<Sheet>(`/api/sessions/${session}`)
  return buildView(sheet, collectFacts(sheet), FIRST_CHOICE)
}

function shownBranch(view: View, node: string): ForkBranch | null {
  const forks = view.sheet.forks.flatMap((_, fork) => branchesAt(view, fork))
  return forks.find(({ head, line }) => line !== null && view.sheet.rows.node[head] === node) ?? null
}

/** Every figure is the same in all its places. */
function expectEqual(figures: Figures, about: string): void {
  const different = Object.entries(figures).filter(([, said]) => !areEqual(Object.values(said)))
  expect({ about, different: Object.fromEntries(different) }).toEqual({ about, different: {} })
}

async function expectAgreement(root: string, about: string, most: number): Promise<void> {
  const places = await openPlaces(root)
  expectEqual(await totals(places), about)
  expectEqual(await titles(places), about)
  expectEqual(await healthFigures(places), about)
  expectEqual(await indexFigures(places), about)
  expectEqual(await agentFigures(places), about)
  expectEqual(await wasteFigures(places), about)
  expectEqual(await tableFigures(places), about)
  const { sessions } = await places.json<Listed>('ls', '--all')
  const some = sessions.toSorted((a, b) => b.branches - a.branches || b.agents - a.agents).slice(0, most)
  for (const session of some) {
    expectEqual(await figuresOf(places, session), `${about}, ${session.session}`)
    expectEqual(await branchFigures(places, session), `${about}, forks of ${session.session}`)
    expectEqual(await compactionFigures(places, session), `${about}, compactions of ${session.session}`)
    expectEqual(await requestFigures(places, session), `${about}, requests of ${session.session}`)
    expectEqual(await exportFigures(places, session), `${about}, exports of ${session.session}`)
  }
}

function newRoot(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dagline-figures-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'projects')
}

it('[S8] [S6] [S4] [L12] figures that several places show agree: skills, rewinds, subagents, sessions that are gone', {
  timeout: 60_000,
}, async () => {
  const root = newRoot()
  writeShape(root, SHAPE)
  await expectAgreement(root, 'shape', 10)
})

it.each(Array.from({ length: RUNS }, (_, nth) => nth + 1))(
  '[S8] [S6] [S4] [L12] figures agree in conversations of chance: seed %i',
  { timeout: 60_000 },
  async seed => {
    const world = new World(newRoot())
    for (const part of [0, 1]) {
      const style = STYLE_NAMES[(2 * seed + part) % STYLE_NAMES.length] ?? 'seed'
      world.add(10 * seed + part, { style, actions: 5, project: `-home-dev-${part}` }, 1)
    }
    await expectAgreement(world.root, `seed ${seed}`, 3)
  },
)

/** The public corpus takes a minute: it is a part of longer runs, where it is there. */
it.each(RUNS < 20 ? [] : [findCorpus()].filter(corpus => corpus !== null))(
  '[S8] [S6] [S4] [L12] figures agree in %s',
  { timeout: 600_000 },
  async corpus => await expectAgreement(corpus, 'corpus', 12),
)
