/** Loaded into a process with `--import`: writes what the process used, with all of its threads, to the file of DAGLINE_RESOURCES. */
import { writeFileSync } from 'node:fs'

const path = process.env['DAGLINE_RESOURCES'] ?? ''
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  writeFileSync(path, JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, kilobytes: maxRSS }))
})
