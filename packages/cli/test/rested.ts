/** Homes for commands that write: files that rest since long, and hashes to see what has changed. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { TestHome } from '@dagline/testkit'
import { json, onShape, type Ran } from './run.js'

/** Hashes of all files below the projects root. */
export function hashes({ projects }: TestHome): Readonly<Record<string, string>> {
  const files = readdirSync(projects, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  const paths = files.map(entry => join(entry.parentPath, entry.name)).sort()
  return Object.fromEntries(
    paths.map(path => [
      path.slice(projects.length),
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ]),
  )
}

/** Runs on a shape whose files rest since long. */
export async function onRested<T>(
  shape: string,
  use: (run: (...words: string[]) => Ran, home: TestHome) => T,
): Promise<T> {
  return await onShape(shape, (run, home) => {
    for (const path of Object.keys(hashes(home))) settle(join(home.projects, path))
    return use(run, home)
  })
}

/** Gives a file a time of an hour ago. */
export function settle(path: string): void {
  const { mtime } = statSync(path)
  const hourAgo = (mtime.getTime() - 3_600_000) / 1000
  utimesSync(path, hourAgo, hourAgo)
}

/** The uuid of a row of the session `s1`, by its kind and place. */
export const uuidOf = (run: (...words: string[]) => Ran, kind: string, place: number): string => {
  const rows = json(run('log', 's1', '--all', '--json')).rows.filter(
    (row: { kind: string }) => row.kind === kind,
  )
  return rows.at(place).node
}
