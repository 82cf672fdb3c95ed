/** Answers in the one form that all of them have, and questions that are checked before they are used. */
import type { Reply } from '@dagline/core'
import type { Context } from 'hono'
import type { ZodType } from 'zod'
import { Refused, type RefusedStatus } from './refused.js'

/** A value as the page gets it. */
export function reply<T>(c: Context, value: T): Response {
  const body: Reply<T> = { ok: true, value }
  return c.json(body)
}

/** Why there is no value. */
export function refuse(c: Context, status: RefusedStatus, code: string, message: string): Response {
  const body: Reply<never> = { ok: false, error: { code, message } }
  return c.json(body, status)
}

/** The words behind `?`, as a schema wants them. Throws `Refused` with what is wrong. */
export function asked<T>(c: Context, schema: ZodType<T>): T {
  const read = schema.safeParse(c.req.query())
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const name = issue?.path.join('.') ?? ''
  throw new Refused(
    400,
    'bad-request',
    `The request is not understood: ${name} ${issue?.message ?? ''}`.trim(),
  )
}
