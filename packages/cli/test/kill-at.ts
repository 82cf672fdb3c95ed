/** Loaded before a command: the process kills itself at one of its operations. */
import { injectWriteFault } from './write-faults.js'

const { DAGLINE_KILL_AT = '0', DAGLINE_KILL_BELOW = '' } = process.env

injectWriteFault({
  below: DAGLINE_KILL_BELOW,
  at: Number(DAGLINE_KILL_AT),
  kind: Number(DAGLINE_KILL_AT) % 2 === 0 ? 'kill' : 'torn',
  kill: () => process.kill(process.pid, 'SIGKILL'),
})
