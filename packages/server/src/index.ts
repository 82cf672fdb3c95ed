/** Everything that the command uses of the server. */
export { type RunningServer, type ServerOptions, startServer } from './server.js'
