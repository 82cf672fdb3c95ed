/** Ports that a server cannot listen on. */
import { UserError } from '@dagline/app'

/** What to tell the user where a port is taken or needs privileges; null for any other error. `others` ends the advice. */
export function portFailure(error: unknown, port: number, others = ''): UserError | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EACCES') return new UserError(`Port ${port} needs privileges. Give a port above 1023.`)
  if (code !== 'EADDRINUSE') return null
  return new UserError(`Port ${port} is in use. Give another one with --port${others}.`)
}
