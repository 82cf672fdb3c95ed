/** Answers in the one form that all of them have, and queries that are checked before they are used. */
import type { Reply } from '@dagline/core/protocol'
import type { Context } from 'hono'
import type { ZodType } from 'zod'
import { HttpError, type HttpStatus } from './http-error.js'

/** A value as the page gets it. */
export function reply<T>(c: Context, value: T): Response {
  const body: Reply<T> = { ok: true, value }
  return c.json(body)
}

const BEFORE = Buffer.from('{"ok":true,"value":')
const AFTER = Buffer.from('}')

/** A value that is JSON already. */
export function replyJson(c: Context, value: Uint8Array): Response {
  return c.body(Buffer.concat([BEFORE, value, AFTER]), 200, { 'Content-Type': 'application/json' })
}

/** Why there is no value. */
export function replyError(c: Context, status: HttpStatus, code: string, message: string): Response {
  const body: Reply<never> = { ok: false, error: { code, message } }
  return c.json(body, status)
}

/** The query of a request, as a schema wants it. Throws `HttpError` with what is wrong. */
export function queryOf<T>(c: Context, schema: ZodType<T>): T {
  const read = schema.safeParse(c.req.query())
  if (read.success) return read.data
  const issue = read.error.issues[0]
  const name = issue?.path.join('.') ?? ''
  const message = `The request is not valid: ${name} ${issue?.message ?? ''}`.trim()
  throw new HttpError(400, 'bad-request', message)
}
