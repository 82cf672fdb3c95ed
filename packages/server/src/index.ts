/** Everything that the command uses of the server. */
export { type RunningServer, startServer } from './server.js'
