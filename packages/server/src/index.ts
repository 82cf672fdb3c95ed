/** Everything that the command and the hub use of the server. */
export { policyWithStyle, withHeaders } from './guard.js'
export { HttpError, httpErrorOf, queryOf, reply, replyError } from './reply.js'
export { download, ROUTES } from './routes.js'
export { type RunningServer, startServer } from './server.js'
export { pageFiles } from './static.js'
