/** The small JSON files beside transcripts, read leniently: a field of the wrong kind counts as absent. */
import { readFileSync, statSync } from 'node:fs'
import { type Fields, fieldsOf, LARGEST_SIDECAR } from '@dagline/core/files'

/** The object in a small JSON file, or null where there is none. Throws what the file system throws. */
export function readFields(path: string): Fields | null {
  if (statSync(path).size > LARGEST_SIDECAR) return null
  return fieldsOf(readFileSync(path, 'utf8'))
}
