/** Dates mean days of the machine where they are typed: a hub gets the times that they stand for. */
import { spanOf } from '@dagline/app'

interface Span {
  readonly since?: string | null | undefined
  readonly until?: string | null | undefined
}

/** A span with its dates as times. Throws `UserError` where one is not valid. */
export function zoned(span: Span): { readonly since?: string; readonly until?: string } {
  const [from, to] = spanOf(span)
  return {
    ...(from === null ? {} : { since: new Date(from).toISOString() }),
    ...(to === null ? {} : { until: new Date(to).toISOString() }),
  }
}
