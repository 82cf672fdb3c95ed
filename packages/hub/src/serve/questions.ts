/** HU48: what commands ask, as it crosses the wire. What does not have the form is refused before it reaches a history. */
import type { HubQuestion } from '@dagline/app'
import { jsonIn } from '@dagline/core/model'
import { SEARCH_SORTS } from '@dagline/core/protocol'
import { HttpError } from '@dagline/server'
import * as z from 'zod'

const text = z.string().max(4096)
const optional = text.nullish()
const words = z.array(text).max(200)
const limit = z.number().int().min(1).nullable()

const filter = z.object({
  ...{ project: optional, session: optional, since: optional, until: optional, file: optional },
})

const searchFilter = filter.extend({
  ...{ role: optional, tool: optional, agent: optional, seenAt: optional, regex: optional },
  branch: z.enum(['live', 'abandoned', 'all']).nullish(),
  ...{ beforeCompaction: z.boolean(), errors: z.boolean(), live: z.boolean() },
})

const search = {
  text,
  filter: searchFilter.partial(),
  limit,
  sort: z.enum(SEARCH_SORTS).nullable(),
  context: z.number().int().min(0).max(1000),
}

const usage = z.object({
  by: z
    .enum(['day', 'week', 'month', 'project', 'session', 'model', 'agent', 'branch', 'line', 'block'])
    .nullable(),
  branch: z.enum(['live', 'abandoned', 'all']).nullable(),
  since: text.nullable(),
  until: text.nullable(),
  project: text.nullable(),
  session: text.nullable(),
})

const SCHEMA: z.ZodType<HubQuestion> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sessions'), words, filter }),
  z.object({ kind: z.literal('labels') }),
  z.object({ kind: z.literal('agents'), filter }),
  z.object({ kind: z.literal('branches'), filter }),
  z.object({ kind: z.literal('files'), filter }),
  z.object({ kind: z.literal('prompts'), filter, limit }),
  z.object({ kind: z.literal('search'), ...search }),
  z.object({ kind: z.literal('searchSessions'), ...search }),
  z.object({ kind: z.literal('usage'), words, options: usage }),
  z.object({
    kind: z.literal('stats'),
    projects: words,
    zone: z.string().max(100),
    after: z.number().int().min(0),
  }),
  z.object({ kind: z.literal('health'), projects: words, after: z.number().int().min(0) }),
])

/** The question in a text. Throws `HttpError` where it is none that this version knows. */
export function questionIn(json: string): HubQuestion {
  const read = SCHEMA.safeParse(jsonIn(json))
  if (read.success) return read.data
  throw new HttpError(
    400,
    'invalid',
    'The hub does not support this request: update dagline on this machine or on the hub.',
  )
}
