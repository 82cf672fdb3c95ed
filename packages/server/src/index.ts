/** Everything that the command uses of the server. */
export { type ContentOptions, readSpilled, rowContents } from './contents.js'
export type { OpenSession, ReadGraph, Reading, ServerContext } from './context.js'
export type { Exported, ExportHtml, ExportOrder, SecretsWish } from './exporting.js'
export { type OpenContext, openContext, type Served } from './open.js'
export { openReading } from './reading.js'
export { Refused } from './refused.js'
export { type RunningServer, type ServerOptions, startServer } from './server.js'
export type { Sync } from './syncing.js'
