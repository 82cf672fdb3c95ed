/** A history that Claude can ask, over the Model Context Protocol. */
export { serveMcp } from './server.js'
