/** Why a request failed before there was an answer: a code such as `ECONNREFUSED`, else the name of the error. */
export function networkReason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.name : String(cause)
}
