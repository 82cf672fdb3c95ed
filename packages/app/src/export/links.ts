/** S2: names of exported files, and links: to sessions beside this one, and within a document. All of them are by uuid. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { portableName } from '@dagline/core/platform'
import type { Format } from './options.js'

/** Where other sessions are to be found from an exported file. */
export interface Links {
  /** The address of a session's page, at an entry where one is given; null where there is no page. */
  readonly to: (session: string, node: string | null) => string | null
}

/** A file by itself, with no others to link to. */
export const NO_LINKS: Links = { to: () => null }

/** Links to files in the same folder. */
export function folderLinks(format: Format, hasPage: (session: string) => boolean): Links {
  const fragment = format === 'md' ? entryAnchor : encodeURIComponent
  return {
    to: (session, node) => {
      if ((format !== 'md' && format !== 'html') || !hasPage(session)) return null
      const file = encodeURIComponent(fileName(session, format))
      return node === null ? file : `${file}#${fragment(node)}`
    },
  }
}

/** Links to whatever was exported into a folder before. */
export function linksBeside(format: Format, folder: string): Links {
  return folderLinks(format, session => existsSync(join(folder, fileName(session, format))))
}

/** Links within one Markdown document that holds these sessions. */
export function documentLinks(sessions: ReadonlySet<string>): Links {
  return {
    to: (session, node) => {
      if (!sessions.has(session)) return null
      return `#${node === null ? sessionAnchor(session) : entryAnchor(node)}`
    },
  }
}

/** The name of an entry's anchor in Markdown. */
export function entryAnchor(node: string): string {
  return `e-${safeName(node)}`
}

/** The name of a session's anchor in Markdown. */
export function sessionAnchor(session: string): string {
  return `s-${safeName(session)}`
}

/** Ids in damaged files can be any text. */
function safeName(id: string): string {
  return id.replace(/[^\w-]/g, '_')
}

/** What the file of a session is called. */
export function fileName(session: string, format: Format): string {
  if (format === 'parquet') return `${fileStem(session)}-parquet`
  return `${fileStem(session)}.${format === 'otel' ? 'otel.jsonl' : format}`
}

/** What the file of a whole session tree is called, by the session at its root. */
export function treeName(session: string, format: Format): string {
  return `${fileStem(session)}-tree.${format}`
}

function fileStem(id: string): string {
  return portableName(id) || 'session'
}
