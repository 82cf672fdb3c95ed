/**
 * A JavaScript expression, for a module of another process: the most memory that the process had resident, in KiB.
 * `process.resourceUsage().maxRSS` does not serve on Linux: a child inherits the peak of the process that started it.
 */
export const PEAK_MEMORY: string = `(
  process.platform === 'linux'
    ? Number(/VmHWM:\\s*(\\d+)/.exec(process.getBuiltinModule('node:fs').readFileSync('/proc/self/status'))[1])
    : process.resourceUsage().maxRSS
)`
