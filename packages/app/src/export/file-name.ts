/** What exported files are called. */
import type { Format } from './options.js'

/** What the file of a session is called. */
export function fileName(session: string, format: Format): string {
  return format === 'parquet' ? `${safeName(session)}-parquet` : `${safeName(session)}.${format}`
}

/** What the file of a whole session tree is called, by the session at its root. */
export function treeName(session: string, format: Format): string {
  return `${safeName(session)}-tree.${format}`
}

function safeName(id: string): string {
  return id.replace(/[^\w.-]/g, '_').replace(/^\.+/, '') || 'session'
}
