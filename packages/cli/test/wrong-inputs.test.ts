/** U7: what is typed wrong ends with exit code 1 and one sentence that names the next step. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expandShape, inProject, type TestHome, tokenUuid, withHome } from '@dagline/testkit'
import { aroundAll, describe, expect, it } from 'vitest'
import { createProgram } from '../src/program.js'
import { runHere } from './in-process.js'
import { ownFolders } from './run.js'

const SHAPE = 's1: u1 a1[t1:Bash] r1[t1] u2 a2 / s1: r1 > u3@+30m a3\ns1/abcdef01: u4 a4\ns2: u5@+2h a5'

/** Commands that need a session, entry or branch as their first word. */
const WITH_WORD =
  'log show branches timeline diff explain tail export repair checkout fork trim restore doctor open usage stats tree ls graph census context waste lessons agents files prompts blame commits'.split(
    ' ',
  )

/** Options that must be given besides. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  trim: ['--images'],
  split: ['--at', tokenUuid('u2')],
  pick: ['--onto', 's1'],
  open: ['--no-open'],
  tail: ['--once'],
  export: ['--out', '-'],
}

/** A word for each command that takes no second one. */
const FULL: readonly string[] =
  'log s1|show u1|branches s1|timeline s1|diff s1 s2|explain u1|tail s1|export s1|repair s1|checkout s1|fork s1|trim s1|split s1|restore s1|doctor s1|open s1|mv /a /b|undo 1|history|sync|completion bash'.split(
    '|',
  )

/** Everything else, as it would be typed. */
const OTHERS: readonly string[] = `
frobnicate
lgo
help frobnicate
--frob
log s1 --live --all
log s1 --branch nosuch
log s1 --branch @nosuch
log s1 --tree --live
log README.md
log /etc/passwd
log s1@nosuch
log s1#agent-nosuch
log #nosuch
log s1:ffff
show s1:
show latest:
show s1
show latest
show 0000
explain s1
diff
show
explain
checkout
fork
pick
trim
split
repair
restore
mv
mv /a
mv /nosuch /other
mv /a /a
trim s1
trim s1 --outputs many
trim s1 --outputs -5
split s1
split s1 --at nosuch
split s1 --at s2
pick nosuch --onto s1
pick s1
checkout s1 --as-of soon
checkout s1 --as-of 1999
checkout s1 --out
repair s1 --only nosuch
repair s1 --only secrets
repair s1 --in-place --out /x
repair s1 s2
doctor --only nosuch
doctor s1 s2
undo
undo x
undo 99
undo 1 2
history x
sync x
search
search --role robot x
search --role human,claude x
search x --branch sometimes
search x --since soon
search x --since 2026-02-30
search x --since 2026-05 --until 2026-04
search x --project nosuch
search x --session nosuch
search x --session s
search x --tool nosuch
search x --file nosuch.ts
search x --agent nosuch
search x --limit 0
search x --limit many
search x --sort color
search x -C many
search x --regex [
search x --regex (?i)x
search nosuchword
search x -cursor
search x --session s1 --session s2
search x --project a --project b
ls --tag nosuch
ls --sort color
ls --limit 0
ls --since soon
ls --project nosuch
ls --root /nosuch
ls --color sometimes
ls --root
usage --by color
usage --by day --by week
usage daily --by week
usage --since soon
usage --since 2026-05 --until 2026-04
usage --session nosuch
usage --project nosuch
usage --branch
usage --markdown --json
stats nosuch
export s1 --format pdf
export s1 --project proj
export --project nosuch
export --project proj --out -
export s1 --branch nosuch
export s1 --depth deep
export s1 --redact everything
export s1 --tree --format json
archive nosuch
archive --every abc
archive --every 0
archive stats verify
archive stats x
archive verify x
restore nosuch
restore s1 --versions
name s1
name --remove
name nosuch x
name s1 --remove
name s1 latest
tag nosuch x
tag --remove
tag s1 --remove
note nosuch x
note --remove
note s1 --remove
open nosuch --no-open
serve /nosuch --no-open
serve --port 99999 --no-open
serve --port many --no-open
tail nosuch --once
tail s1 --limit many
completion
completion tcsh
graph /nosuch
census /nosuch
ls /nosuch
context s1 --at 0
context s1 --at much
context s1 --at 99%
context s1 s2
context s1 --diff
context s1 s2 u1 --diff
context s1 --all
context s1 --at 10% --diff s2
context /nosuch --all --json
waste --kind nosuch
waste --sort color
waste --since soon
waste --project nosuch
waste s1 --limit 0
lessons --outcome sometimes
lessons --project nosuch
lessons --since 2026-02-30
blame
blame nosuch.ts
blame /nosuch/file.ts
blame README.md:x
blame README.md:9-3
commits nosuch
commits --limit 0
now s1
now --sort color
sql selec
sql nosuch.sql
sql --nosuch x
config get
config get nosuch
config set nosuch x
config set theme pink
config set roots
config set port many
config set prices.x y
config unset nosuch
config frob
mcp s1
mcp --frob
archive forget
archive forget nosuch
archive hold nosuch
archive hold
archive forget --older-than soon
archive forget --older-than 1y s1
doctor --ci --only nosuch
doctor --ci --min-coverage many
doctor --ci --policy nosuch.json
doctor --sarif
hub status --hub postgres://nobody@127.0.0.1:1/nosuch
hub users --hub postgres://nobody@127.0.0.1:1/nosuch
hub serve --hub postgres://nobody@127.0.0.1:1/nosuch
hub status --hub http://127.0.0.1:1
export s1 --format otel --tree
export s1 --format parquet --out -
export --format parquet --all
export s1 --to /x
agents --sort color
agents --project nosuch
files --session s1
files --since soon
prompts --limit x
prompts --sort color
branches --sort color
ls --file nosuch.ts
log s1 --around nosuch
log s1 --around u1 -C many
search --seen-at nosuch x
help help nosuch
log none.jsonl
log s1 -C 3
log s1 --around u5
log -n -1
log s1 extra words
ls --file=
ls --project=
ls --sort problems
ls --until 2026-02-31
agents proj --project proj
agents --sort color
branches proj --all
branches s1 --project proj
search x --session=
search -l -C 2 x
search --regex *
search x -C -1
stats s1 --project proj
tree s1 --project proj
usage weekly --by day
usage nosuch
doctor --explain
doctor --explain nosuch
doctor --explain cycle s1
doctor s1 --project proj
doctor --allow secrets
repair s1 --only
checkout s1 --title=
pick u2 --onto nosuch
split s1 --at u1
trim s1 --outputs
undo 0
undo -1
history --limit 3
export s1 --name Ada
export s1 --name Ada --redact secrets
export s1 --redact secrets,foo
export s1 --no-tools --format jsonl
export s1 --depth -1
archive stats --watch
archive verify --hook
archive --older-than 1y
completion BASH
config list x
config get theme x
config set
config set theme
config set port 0
config set hub ftp://x
config unset
help log x
help refs x
blame README.md:0
commits nosuch..HEAD
context s1 --at 200%
context u1 --diff
diff s1 --compaction
ls --hub
ls --person ann
mv relative other
name s1 a/b
tag s1 a,b
tag s1 a --remove
`
  .trim()
  .split('\n')

const program = await createProgram()

/** Words, with the uuids of tokens. */
function wordsOf(line: string): readonly string[] {
  return line.split(' ').map(word => (/^[ua]\d$/.test(word) ? tokenUuid(word) : word))
}

/** What is typed, by what is wrong with it. */
const KINDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'an unknown option': program.commands.map(command => [command.name(), '--frob']),
  'a name of nothing': WITH_WORD.map(name => [name, 'nosuch', ...(NEEDED[name] ?? [])]),
  'an empty word': WITH_WORD.map(name => [name, '', ...(NEEDED[name] ?? [])]),
  'a name of several': WITH_WORD.map(name => [name, 's', ...(NEEDED[name] ?? [])]),
  'a word too many': FULL.map(line => [...wordsOf(line), 'superfluous']),
  'something else': OTHERS.map(wordsOf),
}

/** A sentence that says what to do. */
const NEXT_STEP =
  /\b(?:[Rr]un|[Gg]ive|[Uu]se|[Ss]ee|[Rr]emove|[Tt]ry|[Cc]hoose|[Cc]heck (?:that|the)|[Pp]ut|Swap|Allowed choices|Its tags|write words)\b|see `/

/** The home of all tests: what is typed wrong changes nothing. */
let home: TestHome

aroundAll(async runTests => {
  const { files, metas } = expandShape(SHAPE)
  await withHome(inProject([...files, ...metas]), async made => {
    home = made
    writeFileSync(join(home.dir, 'README.md'), '# Notes\n')
    await runTests()
  })
})

/** Each input is a test of its own, so that one that never ends has a name. */
describe('[U7] what is typed wrong gives exit code 1 and one sentence with the next step', () => {
  describe.each(Object.entries(KINDS))('%s', (_, inputs) => {
    it.each(inputs.map(words => ({ typed: words.join(' '), words })))('$typed', async ({ words }) => {
      const env = { HOME: home.dir, CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }
      const given = words.map(word => (word === 'README.md' ? join(home.dir, word) : word))
      const { stdout, stderr, code } = await runHere(given, { env, isTerminal: false })
      expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
      expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(NEXT_STEP)])
    })
  })

  it('of many kinds', () => {
    expect(Object.values(KINDS).flat().length).toBeGreaterThanOrEqual(141)
  })
})

it('[U7] a fork up to a point before which nothing can be sent says so', async () => {
  const entry = {
    type: 'user',
    uuid: '00000000-0000-4000-8000-000000000001',
    parentUuid: null,
    sessionId: '00000000-0000-4000-8000-000000000002',
    timestamp: '2025-01-01T00:00:00.000Z',
    message: { role: 'user', content: [] },
  }
  const path = '-proj/00000000-0000-4000-8000-000000000002.jsonl'
  await withHome([{ path, text: `${JSON.stringify(entry)}\n` }], async home => {
    const env = { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }
    const ran = await runHere(['fork', entry.uuid, '--snapshot', '--dry-run'], { env, isTerminal: false })
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to send up to that point'),
    })
  })
})
