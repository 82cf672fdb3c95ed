/** HU13 to HU16: `dagline hub`: the history of a team. */
import { UserError } from '@dagline/app'
import { type AddCommand, DRY_RUN, defineCommand, flag, text, wholeNumber } from '../command.js'
import type { Console } from '../console.js'
import { shared } from '../options.js'

const OPTIONS = {
  watch: flag(...shared('watch')),
  dryRun: DRY_RUN,
  team: text('--team <name>', 'team that the sessions belong to, with postgres:// (default: default)'),
  session: text(...shared('session')),
  out: text(...shared('out', ': a folder for the files of "hub fetch"')),
  all: flag(...shared('all', ', also older versions of files')),
  once: flag('--once', 'end with what is there: with judge, judge it and exit'),
  port: wholeNumber(...shared('port', ' with serve (default: 32455)'), { most: 65_535, default: null }),
  host: text('--host <address>', 'with serve: address to listen on (default: 127.0.0.1)'),
  tlsCert: text('--tls-cert <file>', 'with serve: certificate, as PEM'),
  tlsKey: text('--tls-key <file>', 'with serve: key of the certificate, as PEM'),
  address: text('--address <url>', 'with serve: address that browsers use, behind a proxy with TLS'),
  oidcIssuer: text('--oidc-issuer <url>', 'with serve: provider of OpenID Connect for logins'),
  oidcClient: text(
    '--oidc-client <id>',
    'with serve: client of the hub there; its secret: DAGLINE_OIDC_SECRET',
  ),
}

/** The values of the options of `dagline hub`. */
export interface HubOptions {
  readonly hub: string | null
  readonly watch: boolean
  readonly dryRun: boolean
  readonly team: string | null
  readonly person: string | null
  readonly session: string | null
  readonly out: string | null
  readonly all: boolean
  readonly once: boolean
  readonly port: number | null
  readonly host: string | null
  readonly tlsCert: string | null
  readonly tlsKey: string | null
  readonly address: string | null
  readonly oidcIssuer: string | null
  readonly oidcClient: string | null
}

type Action = (console: Console, words: readonly string[], options: HubOptions) => Promise<void>

/** What can be done with a hub. */
export const HUB_ACTIONS: Readonly<Record<string, () => Promise<Action>>> = {
  connect: async () => (await import('./hub-connect.js')).connectHub,
  push: async () => (await import('./hub-push.js')).pushToHub,
  status: async () => (await import('./hub-status.js')).hubStatus,
  fetch: async () => (await import('./hub-fetch.js')).fetchFromHub,
  judge: async () => (await import('./hub-judge.js')).judgeHub,
  serve: async () => (await import('./hub-serve.js')).serve,
  share: async () => (await import('./hub-admin.js')).shareAction,
  unshare: async () => (await import('./hub-admin.js')).unshareAction,
  delete: async () => (await import('./hub-admin.js')).deleteAction,
  hold: async () => (await import('./hub-admin.js')).holdAction,
  policy: async () => (await import('./hub-admin.js')).policyAction,
  users: async () => (await import('./hub-admin.js')).usersAction,
  tokens: async () => (await import('./hub-admin.js')).tokensAction,
  audit: async () => (await import('./hub-admin.js')).auditAction,
}

/** Which actions an option belongs to; the others of them refuse it. */
const BELONGS: Readonly<Partial<Record<keyof HubOptions, readonly string[]>>> = {
  watch: ['push'],
  dryRun: ['push'],
  session: ['fetch'],
  out: ['fetch'],
  all: ['fetch'],
  once: ['judge'],
  port: ['serve'],
  host: ['serve'],
  tlsCert: ['serve'],
  tlsKey: ['serve'],
  address: ['serve'],
  oidcIssuer: ['serve'],
  oidcClient: ['serve'],
}

export const hubCommand: AddCommand = defineCommand({
  usage: 'hub <action> [word...]',
  description: 'Share history: push sessions of named projects to a hub, and see what is there.',
  isEverywhere: true,
  options: OPTIONS,
  examples: [
    'dagline config set push github.com/acme ~/code/shop',
    'dagline hub push --dry-run',
    'dagline hub connect https://hub.example.com',
    'dagline hub push',
    'dagline hub push --watch',
    'dagline hub status',
    'dagline hub push --hub postgres:///dagline --person ann',
    'dagline hub fetch --session 019c5be1 --out restored',
    'dagline hub judge --hub postgres:///dagline',
    'dagline hub serve --hub postgres:///dagline',
    'dagline hub users ann member --hub postgres:///dagline',
    'dagline hub tokens add laptop push,read 90 --person ann --hub postgres:///dagline',
    'dagline hub share 019c5be1 everyone',
    'dagline hub audit 019c5be1',
    'dagline ls --hub',
  ],
  notes: `
hub connect URL  keep the address of the hub and a token for it, which is read from the terminal or from stdin
hub push         send what is new in the sessions of named projects
hub status       show what is on the hub, what is waiting, and what is held back and why
hub fetch        write files of the hub into a folder, as they were pushed
hub judge        bring the index of a hub up to date with what was pushed; a server does this by itself
hub serve        serve the page and take pushes, with the database of --hub; a judge runs beside it
hub share        SESSION, then names of persons or "everyone": who may see a session of yours
hub unshare      SESSION: nobody else sees it
hub delete       SESSION: remove it from the hub for good
hub users        list persons; NAME ROLE adds one or changes the role (reader, member, auditor, admin, or off)
hub tokens       list devices; "add NAME SCOPES DAYS" prints a token once, "revoke NUMBER" ends one
hub policy       PROJECT, "everyone" or "private", and days or "forever": who sees what is pushed, and how long it is kept
hub hold         list holds; SESSION REASON keeps a session from deletion, "person NAME REASON" and "project NAME REASON"
                 all of theirs, "end NUMBER" ends a hold
hub audit        list who read, shared, held and deleted what; of one SESSION where it is given

Here --hub may be a database (postgres://...), and --person is the person whose sessions they are, who must be named there; without it
the name of the account counts. Other commands ask the hub instead of this machine with --hub: "dagline ls --hub".

Nothing leaves unless a project is named: "dagline config set push" takes git remotes (github.com/acme), folders
(~/code/shop) and names of folders of transcripts, and "dagline config set push-deny" what must never leave.
Secrets are replaced by placeholders before anything is sent, except in projects of "dagline config set push-plain".
Preview everything with "dagline hub push --dry-run".
`,
  run: async (console, [action = '', ...words], options) => {
    const load = Object.hasOwn(HUB_ACTIONS, action) ? HUB_ACTIONS[action] : undefined
    if (load === undefined)
      throw new UserError(`There is no action ${action}. Give one of ${Object.keys(HUB_ACTIONS).join(', ')}.`)
    refuseStray(action, options)
    const { hub, person } = console.options
    await (await load())(console, words, { ...options, hub: hub || null, person })
  },
})

/** An option that an action does not have is an error, because its user expects an effect. */
function refuseStray(action: string, options: Omit<HubOptions, 'hub' | 'person'>): void {
  for (const [name, value] of Object.entries(options)) {
    const owners = Object.entries(BELONGS).find(([option]) => option === name)?.[1]
    const isGiven = value !== null && value !== false
    if (isGiven && owners !== undefined && !owners.includes(action))
      throw new UserError(
        `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)} belongs to \`dagline hub ${owners[0]}\`. See \`dagline hub --help\`.`,
      )
  }
}
