/** The library `dagline`: `openHistory` gives everything that one can do with the sessions of a user. */
export * from '@dagline/app/library'
export type { Outputs } from './json/outputs.js'
