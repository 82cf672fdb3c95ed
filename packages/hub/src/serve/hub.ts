/** A hub as a command runs it: a server, and a judge beside it. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startJudge } from '../judge/run.js'
import { type HubServerOptions, type RunningHub, startHub } from './server.js'

interface HubOptions extends Omit<HubServerOptions, 'page'> {
  /** Receives what people should know while it runs. */
  readonly note: (message: string) => void
}

/** Starts both. Throws `UserError` for plain HTTP that other machines could reach. */
export async function serveHub(options: HubOptions): Promise<RunningHub> {
  const hub = await startHub({ ...options, page: pageFolder() })
  const judge = startJudge(options.database, options.note)
  return {
    ...hub,
    close: async () => {
      await judge.stop()
      await hub.close()
    },
  }
}

/** Beside the bundled command; in a checkout where the bundle puts it. */
function pageFolder(): string {
  const paths = ['page', '../../../cli/dist/page'].map(path => fileURLToPath(new URL(path, import.meta.url)))
  return paths.find(existsSync) ?? paths[0] ?? ''
}
