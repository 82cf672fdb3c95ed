/** What keys do on the session page. */
import type { KeyHelp } from '../parts/keys.js'

export const SESSION_KEYS: readonly KeyHelp[] = [
  { keys: 'j k', does: 'next and previous row' },
  { keys: 'n p', does: 'next and previous prompt; with hits n N walk through them' },
  { keys: '[ ]', does: 'another way at the nearest fork' },
  { keys: 'o', does: 'open or close what is there: tool, agent, branch' },
  { keys: 'e', does: 'open or close all tools in sight' },
  { keys: '1 2 3 4', does: 'prompts, conversation, tools, everything' },
  { keys: 'l', does: 'live only' },
  { keys: 'g G', does: 'beginning and end' },
  { keys: '/', does: 'search this session; Esc ends it' },
  { keys: 'y', does: 'copy a link to the row' },
]
