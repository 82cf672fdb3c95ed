/** A made-up developer's sessions: what the viewer shows where a user has none yet. Nothing in them is anybody's. */
import type { Call, Story, Turn } from './writer.ts'

const OPUS = 'claude-opus-4-5'
const SONNET = 'claude-sonnet-4-5'
const HAIKU = 'claude-haiku-4-5'

/** The session that shows most: a rewind, two subagents at once, a queued message and a compaction. */
export const ROUNDING_TITLE = 'Round order totals once'

const bash = (command: string, description: string, result: string): Call => [
  'Bash',
  { command, description },
  result,
]
const read = (file_path: string, text: string): Call => [
  'Read',
  { file_path },
  text
    .split('\n')
    .map((line, index) => `${index + 1}\t${line}`)
    .join('\n'),
]
const edit = (file_path: string, old_string: string, new_string: string): Call => [
  'Edit',
  { file_path, old_string, new_string },
  `The file ${file_path} has been updated.`,
]
const grep = (pattern: string, path: string, result: string): Call => [
  'Grep',
  { pattern, path, output_mode: 'content' },
  result,
]
const todo = (...items: readonly (readonly [string, 'completed' | 'in_progress' | 'pending'])[]): Call => [
  'TodoWrite',
  { todos: items.map(([content, status]) => ({ content, status, activeForm: content })) },
  'Todos have been modified successfully.',
]

const TOTAL = '/home/dev/shop/src/total.ts'

/** The orders of a month as a table, long enough to fill a context: made up by sums, the same each time. */
function ordersOf(month: string, lines: number): Call {
  const rows = Array.from({ length: lines }, (_, index) => {
    const items = 1 + ((index * 7) % 5)
    const cents = 499 + ((index * 1_663) % 9_000)
    const day = String(1 + Math.floor((index * 28) / lines)).padStart(2, '0')
    return `${month}-${day},${10_000 + index},${items},${(cents / 100).toFixed(2)},${((items * cents) / 100).toFixed(2)}`
  })
  return read(`/home/dev/shop/exports/${month}.csv`, ['day,order,items,price,total', ...rows].join('\n'))
}

const ROUNDING: readonly Turn[] = [
  {
    ask: 'The total of an order is off by a cent now and then. Why?',
    thinking: 'Off by a cent smells of rounding. I should look at how the total is summed before I guess.',
    calls: [
      grep(
        'round\\(',
        'src',
        'src/total.ts:4:  return items.map(price).map(round).reduce(add, 0)\nsrc/invoice.ts:31:  const due = round(total(order.items))',
      ),
      read(
        TOTAL,
        "import { add, price, round } from './money'\n\n/** The total of an order in cents. */\nexport function total(items: Item[]): number {\n  return items.map(price).map(round).reduce(add, 0)\n}",
      ),
      bash(
        'npm test -- total',
        'Run the tests of totals',
        'Exit code 1\n ✗ total > sums three items of 3.335\n   expected 10.01, received 10.02',
      ),
    ],
    answer:
      'Each item is rounded **before** the sum, so the rounding errors add up. There are two ways to fix it:\n\n1. Use a decimal type for all amounts.\n2. Keep numbers and round once, at the end.',
  },
  {
    ask: 'Use a decimal library.',
    calls: [
      bash('npm install decimal.js', 'Install decimal.js', 'added 1 package in 2s'),
      edit(
        '/home/dev/shop/src/price.ts',
        'export type Amount = number',
        "import { Decimal } from 'decimal.js'\n\nexport type Amount = Decimal",
      ),
      bash(
        'npm test',
        'Run all tests',
        'Exit code 1\n Test files  9 failed | 22 passed\n      Tests  31 failed | 183 passed\n\n TypeError: amount.toFixed(2).padStart is not a function',
      ),
    ],
    answer:
      'The new type reaches 14 files: every caller that does arithmetic on an amount has to change. I can go on, but it is a larger change than the bug deserves.',
    isAbandoned: true,
  },
  {
    ask: 'That is too much. Round once, at the end, and check whether anybody else rounds.',
    calls: [
      edit(
        TOTAL,
        '  return items.map(price).map(round).reduce(add, 0)',
        '  return round(items.map(price).reduce(add, 0))',
      ),
    ],
    helpers: [
      {
        type: 'Explore',
        task: 'Find callers that round again',
        prompt:
          'Find every caller of total() in src/ that rounds the result a second time. Report file and line.',
        calls: [
          grep(
            'total\\(',
            'src',
            'src/cart.ts:12:  const sum = total(cart.items)\nsrc/invoice.ts:31:  const due = round(total(order.items))\nsrc/refund.ts:8:  return total(items)',
          ),
          read(
            '/home/dev/shop/src/invoice.ts',
            'export function invoice(order: Order): Invoice {\n  const due = round(total(order.items))\n  return { order: order.id, due }\n}',
          ),
        ],
        report:
          '`src/invoice.ts:31` rounds the total a second time. `cart.ts` and `refund.ts` use it as it is.',
      },
      {
        type: 'general-purpose',
        task: 'Write a test with 3 × 3.335',
        prompt: 'Add a test to src/total.test.ts: three items of 3.335 must give 10.01. Run it.',
        calls: [
          edit(
            '/home/dev/shop/src/total.test.ts',
            "describe('total', () => {",
            "describe('total', () => {\n  it('rounds once', () => {\n    expect(total([item(3.335), item(3.335), item(3.335)])).toBe(10.01)\n  })\n",
          ),
          bash('npm test -- total', 'Run the tests of totals', ' ✓ src/total.test.ts (15 tests) 212 ms'),
        ],
        report: 'The test fails on the old code (10.02) and passes with the change.',
      },
    ],
    answer:
      'Done. `total()` rounds once now, and `invoice.ts` was rounding a second time; I removed that. The new test covers three items of 3.335.',
  },
  {
    ask: 'Also run the end-to-end tests.',
    isQueued: true,
    calls: [
      bash(
        'npm run test:e2e',
        'Run the end-to-end tests',
        ' ✓ checkout.spec.ts (12 tests) 18.4 s\n ✓ refund.spec.ts (5 tests) 7.1 s',
      ),
    ],
    answer: 'All 17 end-to-end tests pass, refunds included.',
  },
  {
    ask: 'How many orders since June would have had another total?',
    calls: [
      ...['2026-06', '2026-07', '2026-08', '2026-09', '2026-10'].map(month => ordersOf(month, 1_720)),
      bash(
        'node scripts/compare-totals.mjs exports/*.csv',
        'Compare old and new totals',
        '8600 orders, 37 differ, each by 0.01',
      ),
    ],
    answer: '37 of 8,600, each by one cent: 21 customers paid a cent too much, 16 a cent too little.',
  },
  {
    ask: 'Write the changelog entry.',
    summary:
      'Summary: order totals were off by a cent because each item was rounded before the sum. `total()` in src/total.ts now rounds once; src/invoice.ts no longer rounds again; src/total.test.ts has a test with 3 × 3.335. Unit and end-to-end tests pass. A decimal library was tried and dropped.',
    answer:
      '> **Fixed:** order totals are rounded once, after all items are summed. Some totals were off by one cent.',
  },
]

const FLAKY: readonly Turn[] = [
  {
    ask: 'checkout.test.ts fails about one run in ten. Find out why, do not just retry it.',
    thinking:
      'One in ten means timing or shared state. Repeat the test until it fails and look at what differs.',
    calls: [
      bash(
        'for i in $(seq 20); do npm test -- checkout --silent || echo "run $i failed"; done',
        'Repeat the test 20 times',
        'run 7 failed\nrun 16 failed',
      ),
      read(
        '/home/dev/shop/src/checkout.test.ts',
        "beforeEach(() => {\n  stock.reset()\n})\n\nit('reserves the last item once', async () => {\n  await Promise.all([checkout(cart('a')), checkout(cart('b'))])\n  expect(stock.left('mug')).toBe(0)\n})",
      ),
      grep(
        'reserve',
        'src',
        'src/stock.ts:18:export async function reserve(sku: string): Promise<boolean> {\nsrc/checkout.ts:9:  if (!(await reserve(item.sku))) throw new OutOfStock(item.sku)',
      ),
    ],
    answer:
      'It is a real bug, and the test is right. `reserve()` reads the stock, awaits the payment check, and then writes it. Two checkouts that run at once both read `1` and both succeed.',
  },
  {
    ask: 'Put a lock around reserve().',
    calls: [
      edit(
        '/home/dev/shop/src/stock.ts',
        'export async function reserve(sku: string): Promise<boolean> {',
        'export async function reserve(sku: string): Promise<boolean> {\n  await lock.acquire(sku)',
      ),
      bash(
        'npm test -- checkout',
        'Run the checkout tests',
        'Exit code 1\n ✗ reserves the last item once\n   Timeout of 5000 ms exceeded: lock for "mug" was never released',
      ),
    ],
    answer:
      'The lock is never released when the payment check throws. It needs a `finally`, and it would hold during a call to the payment provider.',
    isAbandoned: true,
  },
  {
    ask: 'Do it without a lock: decrement first, give it back if the payment fails.',
    calls: [
      edit(
        '/home/dev/shop/src/stock.ts',
        '  const left = await stock.get(sku)\n  if (left < 1) return false\n  await stock.set(sku, left - 1)',
        '  return await stock.decrementIfPositive(sku)',
      ),
      edit(
        '/home/dev/shop/src/checkout.ts',
        '  await pay(cart)',
        '  await pay(cart).catch(async error => {\n    await release(cart)\n    throw error\n  })',
      ),
      bash(
        'for i in $(seq 50); do npm test -- checkout --silent || echo "run $i failed"; done',
        'Repeat the test 50 times',
        '',
      ),
    ],
    answer:
      'Fifty runs, no failure. The decrement is one atomic statement, and a failed payment gives the item back.',
  },
]

const PAGES: readonly Turn[] = [
  {
    ask: 'GET /notes returns everything at once. Add pagination, 50 notes a page.',
    thinking:
      'Offset or cursor? The list is sorted by change time and changes while people read it, so offsets would skip rows.',
    calls: [
      todo(
        ['Read the route and the query', 'in_progress'],
        ['Add a cursor', 'pending'],
        ['Test it', 'pending'],
      ),
      read(
        '/home/dev/notes-api/src/routes/notes.ts',
        "app.get('/notes', async c => {\n  const notes = await db.query('select * from notes order by changed desc')\n  return c.json({ notes })\n})",
      ),
    ],
    answer:
      'Notes are sorted by change time, and they change while somebody pages through them. I would use a cursor (`changed`, `id`) rather than an offset: an offset skips or repeats notes when one moves to the top.\n\nShall I?',
  },
  {
    ask: 'Yes, with a cursor.',
    calls: [
      edit(
        '/home/dev/notes-api/src/routes/notes.ts',
        "  const notes = await db.query('select * from notes order by changed desc')\n  return c.json({ notes })",
        "  const cursor = readCursor(c.req.query('after'))\n  const notes = await db.query(PAGE, [cursor.changed, cursor.id, 51])\n  return c.json({ notes: notes.slice(0, 50), next: nextCursor(notes) })",
      ),
      bash(
        'npm test',
        'Run all tests',
        ' ✓ routes/notes.test.ts (22 tests)\n ✓ routes/tags.test.ts (9 tests)',
      ),
      todo(
        ['Read the route and the query', 'completed'],
        ['Add a cursor', 'completed'],
        ['Test it', 'completed'],
      ),
    ],
    answer:
      '`GET /notes` returns 50 notes and `next`, a cursor for the following page. `next` is `null` on the last one.',
  },
  {
    ask: 'Is there an index for that query?',
    calls: [
      bash(
        'sqlite3 notes.db "explain query plan select * from notes where (changed, id) < (?, ?) order by changed desc, id desc limit 51"',
        'Show the query plan',
        'SCAN notes\nUSE TEMP B-TREE FOR ORDER BY',
      ),
      edit(
        '/home/dev/notes-api/migrations/012_pages.sql',
        '',
        'create index notes_changed on notes (changed desc, id desc);',
      ),
      bash(
        'npm run migrate && sqlite3 notes.db "explain query plan select * from notes order by changed desc, id desc limit 51"',
        'Migrate and show the plan again',
        'SEARCH notes USING INDEX notes_changed',
      ),
    ],
    answer:
      'There was none: the query read the whole table. Migration 012 adds `notes (changed desc, id desc)`, and the plan uses it now.',
  },
]

const OFFSETS: readonly Turn[] = [
  {
    ask: 'Forked to compare: what would it look like with plain offsets?',
    calls: [
      edit(
        '/home/dev/notes-api/src/routes/notes.ts',
        "  const notes = await db.query('select * from notes order by changed desc')",
        "  const page = Number(c.req.query('page') ?? 0)\n  const notes = await db.query('select * from notes order by changed desc limit 50 offset ?', [page * 50])",
      ),
    ],
    answer:
      'Shorter by twelve lines, and wrong in one case: when a note on page 1 changes while somebody reads page 2, the last note of page 2 is shown twice. I would keep the cursor.',
  },
]

const IMPORT: readonly Turn[] = [
  {
    ask: 'Photos from the phone show up a day late in the timeline. Start with the importer.',
    calls: [
      grep(
        'DateTimeOriginal',
        'importer',
        'importer/exif.py:41:    taken = datetime.strptime(tags["DateTimeOriginal"], FORMAT)',
      ),
      read(
        '/home/dev/photo-import/importer/exif.py',
        'def taken_at(tags):\n    taken = datetime.strptime(tags["DateTimeOriginal"], FORMAT)\n    return taken.replace(tzinfo=timezone.utc)',
      ),
    ],
    helpers: [
      {
        type: 'general-purpose',
        task: 'Count photos with an offset tag',
        prompt:
          'Count how many photos in samples/ carry OffsetTimeOriginal, by camera model. Report a table.',
        calls: [
          bash(
            'python -m importer.survey samples/ --tag OffsetTimeOriginal',
            'Survey the sample photos',
            'phone   1841 of 1846\ncamera     0 of  912',
          ),
        ],
        report: '1,841 of 1,846 phone photos carry `OffsetTimeOriginal`; none of the 912 camera photos does.',
        inBackground: {
          answer:
            "The survey is done: nearly all phone photos say their offset, camera photos never do. So: use the offset where there is one, else the folder's time zone.",
        },
      },
    ],
    answer:
      'The importer takes local times for UTC (`exif.py:41`). A survey of the sample photos runs in the background; it will tell whether the photos say their own offset.',
  },
  {
    ask: 'Do that, and keep a fallback for photos without any time.',
    calls: [
      edit(
        '/home/dev/photo-import/importer/exif.py',
        '    return taken.replace(tzinfo=timezone.utc)',
        '    offset = tags.get("OffsetTimeOriginal")\n    return taken.replace(tzinfo=parse_offset(offset) if offset else folder_zone())',
      ),
      bash('pytest -q importer', 'Run the importer tests', '48 passed in 1.92s'),
    ],
    answer:
      "Times use the photo's own offset, else the zone of its folder. Photos without a time keep the file's date, as before. 48 tests pass.",
  },
]

const SEARCH: readonly Turn[] = [
  {
    ask: 'Search should show hits while I type. What is slow about it today?',
    calls: [
      bash(
        'npm run profile -- search',
        'Profile a search',
        'search "budget"  412 ms\n  load notes     371 ms\n  match           38 ms\n  render           3 ms',
      ),
    ],
    answer:
      'Nearly all of the time goes into loading every note for every search. Matching takes 38 ms. An index in memory would bring a keystroke under 10 ms.',
  },
  {
    ask: 'Build it, but keep it under 5 MB for 10,000 notes.',
    calls: [
      edit(
        '/home/dev/notes-api/src/search/index.ts',
        '',
        'export function buildIndex(notes: readonly Note[]): Index {\n  const postings = new Map<string, Uint32Array>()\n  // ...\n}',
      ),
      bash(
        'node bench/index-size.js 10000',
        'Measure the index',
        'notes 10000  terms 48211  bytes 3.9 MB  build 140 ms',
      ),
    ],
    answer: 'The index takes 3.9 MB for 10,000 notes and is built in 140 ms. A search takes 4 ms.',
  },
  {
    ask: 'Rank newer notes higher.',
    summary:
      'Summary: search loads notes once and keeps an inverted index in memory (src/search/index.ts): 3.9 MB for 10,000 notes, 4 ms a search. Open: ranking.',
    calls: [
      edit(
        '/home/dev/notes-api/src/search/rank.ts',
        'export const score = (hit: Hit) => hit.count',
        'export const score = (hit: Hit) => hit.count * decay(hit.changed)',
      ),
      bash('npm test -- search', 'Run the search tests', ' ✓ search/rank.test.ts (11 tests)'),
    ],
    answer: 'A hit loses half of its weight in 180 days. Exact matches of the title stay first.',
  },
]

const QUICK: readonly Turn[] = [
  {
    ask: 'Bump Node to 24 in CI and package.json.',
    calls: [
      grep(
        'node',
        '.github package.json',
        '.github/workflows/ci.yml:14:          node-version: 22\npackage.json:9:    "node": ">=22"',
      ),
      edit('/home/dev/shop/.github/workflows/ci.yml', 'node-version: 22', 'node-version: 24'),
      edit('/home/dev/shop/package.json', '"node": ">=22"', '"node": ">=24"'),
    ],
    answer: 'Both are on 24 now. `npm ci` and the tests pass locally with 24.',
  },
]

/** All sessions, the newest first. */
export const STORIES: readonly Story[] = [
  {
    project: 'shop',
    title: ROUNDING_TITLE,
    model: OPUS,
    start: '2026-11-13T09:12:00Z',
    gitBranch: 'fix/rounding',
    turns: ROUNDING,
  },
  {
    project: 'notes-api',
    title: 'Pages for GET /notes',
    model: SONNET,
    start: '2026-11-12T14:05:00Z',
    gitBranch: 'pages',
    turns: PAGES,
  },
  {
    project: 'notes-api',
    title: 'Pages with offsets instead',
    model: SONNET,
    start: '2026-11-12T15:20:00Z',
    gitBranch: 'pages',
    turns: OFFSETS,
    forkOf: { title: 'Pages for GET /notes', turns: 1 },
  },
  {
    project: 'photo-import',
    title: 'Photos appear a day late',
    model: OPUS,
    start: '2026-11-10T19:40:00Z',
    gitBranch: 'main',
    turns: IMPORT,
  },
  {
    project: 'shop',
    title: 'Flaky checkout test',
    model: SONNET,
    start: '2026-11-06T08:30:00Z',
    gitBranch: 'main',
    turns: FLAKY,
  },
  {
    project: 'notes-api',
    title: 'Search as you type',
    model: SONNET,
    start: '2026-11-03T10:15:00Z',
    gitBranch: 'search',
    turns: SEARCH,
  },
  {
    project: 'shop',
    title: 'Upgrade to Node 24',
    model: HAIKU,
    start: '2026-10-29T16:50:00Z',
    gitBranch: 'main',
    turns: QUICK,
  },
]
