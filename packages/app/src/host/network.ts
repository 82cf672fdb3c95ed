/** Why a request failed before there was an answer: a code such as `ECONNREFUSED`, else the name of the error, or what it says. */
export function networkReason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  if (!(cause instanceof Error)) return String(cause)
  // `fetch` asks no port of some other protocol: `bad port`, and no code.
  return cause.name === 'Error' ? cause.message : cause.name
}
