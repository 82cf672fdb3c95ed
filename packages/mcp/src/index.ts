/** A history that Claude can ask, over the Model Context Protocol. */
export { createMcpHttp, type McpHttp, serveMcp } from './server.js'
