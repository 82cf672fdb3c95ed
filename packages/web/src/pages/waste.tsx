/** The page of waste: what was paid for in vain, by kind and one by one, and what would avoid it. */

import { count, money, percent, plural, shortId, tokens } from '@dagline/core/format'
import type { WastePage as Waste, WastedItem, WastedKind } from '@dagline/core/protocol'
import type { WasteKind } from '@dagline/core/waste'
import type { JSX } from 'preact'
import { sessionPath, useTitle } from '../app/route.js'
import { type Column, SortTable } from '../charts/sort-table.js'
import { Badge, Money, Tokens, When } from '../parts/figures.js'
import { useLoad } from '../parts/load.js'
import { Panel, Tiles } from '../parts/panel.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'

/** The page. */
export function WastePage(): JSX.Element {
  useTitle('Waste')
  const { value, error, reload } = useLoad<Waste>('/api/waste')
  return (
    <div class="report waste">
      <header class="report-head">
        <h1>Waste</h1>
        <a href="/usage">All usage</a>
      </header>
      {value === null ? (
        error === null ? (
          <Spinner label="Reading your sessions…" />
        ) : (
          <Failure isPart error={error} retry={reload} />
        )
      ) : value.count === 0 ? (
        <Empty title="No waste found">
          <p>Looked at {plural(value.used.messages, 'API message')}.</p>
        </Empty>
      ) : (
        <Found waste={value} />
      )}
    </div>
  )
}

function Found({ waste }: { readonly waste: Waste }): JSX.Element {
  const { items, kinds, wasted, used } = waste
  const share = `${percent(wasted.costUSD ?? 0, used.costUSD ?? 0)} of ${money(used.costUSD)}`
  return (
    <div class="report-body">
      <Tiles
        tiles={[
          { name: 'Could be avoided', value: money(wasted.costUSD), note: share },
          { name: 'Tokens', value: tokens(wasted.tokens), note: `of ${tokens(used.tokens)}` },
          { name: 'Found', value: count(waste.count), note: `in ${plural(used.messages, 'API message')}` },
        ]}
      />
      <Panel title="By kind">
        <SortTable label="Waste by kind" rows={kinds} columns={KINDS} keyOf={({ kind }) => kind} by="Cost" />
        <p class="panel-note">Each token counts once, for the first kind that applies.</p>
      </Panel>
      <Panel title="The most expensive">
        <SortTable
          label="Waste, one by one"
          rows={items}
          columns={ITEMS}
          keyOf={({ kind, session, node, why }) => `${kind} ${session} ${node} ${why}`}
          by="Cost"
        />
        {items.length < waste.count ? (
          <p class="panel-note">
            The {count(items.length)} most expensive of {count(waste.count)}.
          </p>
        ) : null}
      </Panel>
    </div>
  )
}

/** V28: the kinds in the words of a reader; `dagline waste --kind` takes the names without spaces. */
const NAMES: Readonly<Record<WasteKind, string>> = {
  rewind: 'Rewound turns',
  retry: 'Replies that broke off',
  subagent: 'Subagents that were given up',
  'cache-expiry': 'Expired cache',
  'failed-call': 'Calls that failed again',
  'repeated-read': 'Files read again',
  compaction: 'Large results before a compaction',
  'carried-result': 'Large results in later requests',
  'lost-prompt': 'Lost prompts',
}

function nameOf(kind: string): string {
  return isWasteKind(kind) ? NAMES[kind] : kind
}

function isWasteKind(kind: string): kind is WasteKind {
  return Object.hasOwn(NAMES, kind)
}

const KINDS: readonly Column<WastedKind>[] = [
  { title: 'Kind', value: ({ kind }) => nameOf(kind), isShort: true },
  { title: 'What would avoid it', value: ({ avoid }) => avoid, isMinor: true },
  { title: 'Found', value: each => each.count },
  { title: 'Tokens', value: each => each.tokens, cell: each => <Tokens value={each.tokens} /> },
  { title: 'Cost', value: ({ costUSD }) => costUSD ?? 0, cell: ({ costUSD }) => <Money value={costUSD} /> },
]

/** Characters of a title that tell which session is meant. */
const LONGEST_TITLE = 60

function sessionOf({ title, session }: WastedItem): string {
  if (title === null) return `session ${shortId(session)}`
  return title.length > LONGEST_TITLE ? `“${title.slice(0, LONGEST_TITLE)}…”` : `“${title}”`
}

const ITEMS: readonly Column<WastedItem>[] = [
  {
    title: 'What',
    value: ({ what, why }) => what || why,
    cell: item => (
      <>
        <a href={sessionPath(item.session, item.node)}>{item.what || sessionOf(item)}</a>
        <div class="quiet">
          {item.why}
          {item.what === '' ? '' : ` In ${sessionOf(item)}.`}
        </div>
      </>
    ),
  },
  {
    title: 'Kind',
    value: ({ kind }) => nameOf(kind),
    cell: ({ kind }) => <Badge>{nameOf(kind)}</Badge>,
    isMinor: true,
    isShort: true,
  },
  { title: 'When', value: ({ time }) => time ?? 0, cell: ({ time }) => <When time={time} />, isMinor: true },
  { title: 'Cost', value: ({ costUSD }) => costUSD ?? 0, cell: ({ costUSD }) => <Money value={costUSD} /> },
]
