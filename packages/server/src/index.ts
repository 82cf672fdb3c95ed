/** Everything that the command uses of the server. */
export type { OpenSession, ServerContext } from './context.js'
export { type OpenContext, openContext, type Served } from './open.js'
export { Refused } from './refused.js'
export { type RunningServer, type ServerOptions, startServer } from './server.js'
export type { Sync } from './syncing.js'
