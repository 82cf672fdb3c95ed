import { fileURLToPath } from 'node:url'

/** Words with which this command starts itself to help: nothing else is loaded to tell them apart. */
export const HELP_READING = '--help-reading'
export const HELP_INDEXING = '--help-indexing'
export const HELP_SYNCING = '--help-syncing'
export const HELP_PROVING = '--help-proving'

/** The bundled command, which helpers are started from; null while sources run as they are. */
export function bundledCommand(): string | null {
  return import.meta.url.endsWith('.js') ? fileURLToPath(new URL('dagline.js', import.meta.url)) : null
}

const WORKERS: ReadonlyMap<string, () => Promise<void>> = new Map([
  [HELP_READING, async () => (await import('./tasks.js')).help()],
  [HELP_INDEXING, async () => (await import('./index-reader.js')).helpIndexing()],
  [HELP_SYNCING, async () => (await import('./sync.js')).helpSyncing()],
  [HELP_PROVING, async () => (await import('./prover.js')).helpProving()],
])

/** What a process does that was started as a worker; null for any other argument. */
export function workerFor(argument: string | undefined): (() => Promise<void>) | null {
  return WORKERS.get(argument ?? '') ?? null
}
