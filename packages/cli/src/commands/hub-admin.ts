/** HU41: `dagline hub share`, `users`, `tokens` and others: what persons and admins change on a hub. */
import { UserError } from '@dagline/app'
import { isoTime, plural } from '@dagline/core/format'
import {
  askHub,
  type HubAuditRow,
  type HubDevice,
  type HubHold,
  type HubPerson,
  ROLES,
  SCOPES,
} from '@dagline/hub'
import type { Console } from '../console.js'
import type { JsonFields } from '../json/fields.js'
import type { HubOptions } from './hub.js'

type Action = (console: Console, words: readonly string[], options: HubOptions) => Promise<void>

/** The fields of `--json`, and what is printed without it. */
type Output = readonly [facts: JsonFields<'hub'>, lines: readonly string[]]

type Target = Parameters<typeof askHub>[0]

/** An action that has the hub do what was typed, and says what it did. */
function action(ask: (words: readonly string[], hub: Target) => Promise<Output>): Action {
  return async (console, words, { hub, team, person }) => {
    const [facts, lines] = await ask(words, { url: hub, team, person })
    if (console.options.json) await console.printJson('hub', facts)
    else await console.print(lines)
  }
}

function word(words: readonly string[], at: number, what: string): string {
  const given = words[at]
  if (given === undefined) throw new UserError(`Give ${what}. See \`dagline hub --help\`.`)
  return given
}

function wholeNumber(text: string, what: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UserError(`${text} is not ${what}. Give a whole number above 0.`)
  return Number(text)
}

function requireOneOf(known: readonly string[], given: string, what: string): void {
  if (!known.includes(given))
    throw new UserError(`There is no ${what} ${given}. Give one of ${known.join(', ')}.`)
}

export const shareAction: Action = action(async (words, hub) => {
  const asked = word(words, 0, 'a session')
  const names = words.slice(1)
  const everyone = names.includes('everyone')
  const fields = { session: asked, everyone, persons: everyone ? [] : names }
  const { session, files } = await askHub(hub, 'share', fields)
  const readers = everyone ? 'Everyone in the team' : names.join(', ')
  return [
    { action: 'share', session, files },
    [`${readers} can see session ${session} (${plural(files, 'file')}) now.`],
  ]
})

export const unshareAction: Action = action(async (words, hub) => {
  const { session, files } = await askHub(hub, 'unshare', { session: word(words, 0, 'a session') })
  return [
    { action: 'unshare', session, files },
    [`Nobody else can see session ${session} (${plural(files, 'file')}) any more.`],
  ]
})

export const deleteAction: Action = action(async (words, hub) => {
  const { session, files } = await askHub(hub, 'delete', { session: word(words, 0, 'a session') })
  return [
    { action: 'delete', session, files },
    [
      `Session ${session} (${plural(files, 'file')}) was deleted from the hub. Later pushes do not bring it back.`,
    ],
  ]
})

export const holdAction: Action = action(async ([first, ...rest], hub) => {
  if (first === undefined) {
    const { holds } = await askHub(hub, 'holds')
    return [{ action: 'hold', holds }, holds.length === 0 ? ['Nothing is held.'] : holds.map(holdLine)]
  }
  if (first === 'end') {
    const id = wholeNumber(word(rest, 0, 'the number of a hold'), 'the number of a hold')
    await askHub(hub, 'unhold', { id })
    return [{ action: 'hold', hold: id, isEnded: true }, [`Hold ${id} was removed.`]]
  }
  const isWide = first === 'person' || first === 'project'
  const subject = isWide ? word(rest, 0, `the name of a ${first}`) : first
  const reason = (isWide ? rest.slice(1) : rest).join(' ')
  if (reason === '') throw new UserError('Give the reason of the hold: `dagline hub hold SESSION REASON`.')
  const { id, session } = await askHub(hub, 'hold', { [isWide ? first : 'session']: subject, reason })
  const held = session === null ? `all sessions of ${subject}` : `session ${session}`
  return [
    { action: 'hold', hold: id, isEnded: false },
    [`Hold ${id} keeps ${held} from deletion. End it with \`dagline hub hold end ${id}\`.`],
  ]
})

function holdLine({ id, session, owner, ownerName, project, projectName, reason }: HubHold): string {
  const about = [
    session === null ? 'all sessions' : `session ${session}`,
    owner === null ? '' : `of ${ownerName}`,
    project === null ? '' : `of project ${projectName}`,
  ]
  return `Hold ${id} keeps ${about.filter(Boolean).join(' ')}: ${reason}`
}

export const policyAction: Action = action(async (words, hub) => {
  const project = word(words, 0, 'a project')
  const who = word(words, 1, '"everyone" or "private"')
  if (who !== 'everyone' && who !== 'private')
    throw new UserError(`Give "everyone" or "private" for who sees what is pushed, not ${who}.`)
  const everyone = who === 'everyone'
  const [, , kept] = words
  const days = kept === undefined || kept === 'forever' ? null : wholeNumber(kept, 'a number of days')
  const keeping = kept === undefined ? {} : { days }
  const { files } = await askHub(hub, 'policy', { project, everyone, ...keeping })
  const sees = everyone
    ? 'everyone in the team sees what is pushed'
    : 'what is pushed is private until its owner shares it'
  const time = days === null ? 'forever' : `for ${plural(days, 'day')} after its last push`
  return [
    { action: 'policy', project, everyone, ...keeping, files },
    [
      `${project}: ${sees} (${plural(files, 'file')} changed).`,
      ...(kept === undefined ? [] : [`A session is kept ${time}.`]),
    ],
  ]
})

export const usersAction: Action = action(async ([name, role = 'member'], hub) => {
  if (name === undefined) {
    const { persons } = await askHub(hub, 'persons')
    return [
      { action: 'users', persons },
      persons.length === 0 ? ['There are no persons yet.'] : persons.map(personLine),
    ]
  }
  if (role === 'off') {
    await askHub(hub, 'disable', { name })
    const gone = { name, role: null, isDisabled: true }
    return [{ action: 'users', persons: [gone] }, [`${name} has no access any more.`]]
  }
  requireOneOf(ROLES, role, 'role')
  const person = await askHub(hub, 'person', { name, role })
  return [
    { action: 'users', persons: [person] },
    [personLine(person), `Make a token with \`dagline hub tokens add laptop --person ${name}\`.`],
  ]
})

function personLine({ name, role, isDisabled }: HubPerson): string {
  return isDisabled ? `${name} has no access (was ${role}).` : `${name} is ${role}.`
}

export const tokensAction: Action = action(async (words, hub) => {
  const [verb, name, scopes, days = '90'] = words
  if (verb === undefined) {
    const { devices } = await askHub(hub, 'devices')
    const list = devices.map(device => ({
      ...device,
      ...{ made: isoTime(device.made), expires: isoTime(device.expires), seen: isoTime(device.seen) },
    }))
    return [
      { action: 'tokens', devices: list },
      devices.length === 0 ? ['There are no devices yet.'] : devices.map(deviceLine),
    ]
  }
  if (verb === 'revoke') {
    const revoked = wholeNumber(word(words, 1, 'the number of a device'), 'the number of a device')
    await askHub(hub, 'revoke', { device: revoked })
    return [{ action: 'tokens', revoked }, [`The token of device ${revoked} was revoked.`]]
  }
  if (verb !== 'add') throw new UserError(`Give "add" or "revoke", not ${verb}. See \`dagline hub --help\`.`)
  const wanted = scopes?.split(',') ?? ['push', 'read']
  for (const scope of wanted) requireOneOf(SCOPES, scope, 'scope')
  const { token } = await askHub(hub, 'token', {
    device: name ?? 'device',
    scopes: wanted,
    days: wholeNumber(days, 'a number of days'),
    person: hub.person,
  })
  return [{ action: 'tokens', token }, [token]]
})

function deviceLine({ device, person, name, scopes, expires, seen, isRevoked }: HubDevice): string {
  const end = isRevoked ? 'ended' : `until ${isoTime(expires)}`
  const use = seen === null ? 'never used' : `last used ${isoTime(seen)}`
  return `Device ${device}, ${name} of ${person}: ${scopes.join(', ')}; ${end}; ${use}.`
}

export const auditAction: Action = action(async ([session = null], hub) => {
  const { rows } = await askHub(hub, 'audit', { session })
  const list = rows.map(row => ({ ...row, at: isoTime(row.at) }))
  return [{ action: 'audit', rows: list }, rows.length === 0 ? ['Nothing is recorded.'] : rows.map(auditLine)]
})

/** Who did it straight on the database has the number 0. */
function auditLine({ at, person, action: what, owner, session, detail }: HubAuditRow): string {
  const who = person === '0' ? 'owner of the database' : person
  const about = [
    session === null ? '' : `session ${session}`,
    owner === null ? '' : `of ${owner}`,
    detail === null || detail === '' ? '' : `(${detail})`,
  ]
  return [`${isoTime(at)} ${who}: ${what}`, ...about.filter(Boolean)].join(' ')
}
