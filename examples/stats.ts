import { measureGraph } from 'dagline/core/measure'
import { openProject } from './open.ts'

/** How turns ran, which agents were called, and which tools. */
export async function run(folder: string): Promise<string[]> {
  const { flows, delegation, tools } = measureGraph(await openProject(folder), {
    // The core knows no time zone: days and hours are counted in yours, here in UTC.
    dayOf: time => new Date(time).toISOString().slice(0, 10),
    hourOf: time => new Date(time).getUTCHours(),
  })
  return [
    ...flows.map(({ flow, turns }) => `${flow}: ${turns}`),
    ...delegation.map(
      ({ from, to, calls, parallel }) => `${from} calls ${to}: ${calls}, ${parallel} in parallel`,
    ),
    ...tools.map(({ tool, calls, ends }) => `${tool}: ${calls} calls, ${ends.error} errors`),
  ]
}
