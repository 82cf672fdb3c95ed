/** How worker processes are started: the bundled command starts itself with an argument that is not documented. */
import { fileURLToPath } from 'node:url'

/** The first argument of a worker process; the second one is the name of its task. */
export const WORKER_ARGUMENT = '--worker'

/** The bundled command, which workers are started from; null while sources run as they are. */
export function bundledCommand(): string | null {
  return import.meta.url.endsWith('.js') ? fileURLToPath(new URL('dagline.js', import.meta.url)) : null
}
