/** What tests of the archive need: keeping a folder, and reading everything back. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  type Archive,
  type ArchivedFile,
  type ArchiveWriter,
  discover,
  type KeepOptions,
  type KeepResult,
  openArchiveWriter,
  type VerifyResult,
  verifyArchive,
} from '../src/index.js'
import { temporaryFolder } from './temporary.js'

/** Runs a generator to its end. */
export function finish<T>(generator: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = generator.next()
    if (done === true) return value
  }
}

/** An archive in a folder of its own, closed when the test ends. */
export function newArchive(path: string = join(temporaryFolder(), 'archive.db')): ArchiveWriter {
  const archive = openArchiveWriter(path)
  onTestFinished(() => {
    try {
      archive.close()
    } catch {
      // The test has closed it.
    }
  })
  return archive
}

/** A clock that is far ahead, so that files which were just written count as settled. */
export const later = (): number => Date.now() + 60_000

/** Keeps what is below a folder. */
export function keep(
  archive: ArchiveWriter,
  root: string,
  options: KeepOptions = { now: later },
): KeepResult {
  return finish(archive.keep(discover([root]), options))
}

/** Checks every byte. */
export function verify(archive: Archive): VerifyResult {
  return finish(verifyArchive(archive))
}

/** All bytes of an archived file, read in pieces of an odd size. */
export function bytesOf(archive: Archive, file: ArchivedFile, version?: number): Buffer {
  const source = archive.read(file, version)
  const bytes = Buffer.alloc(source.size)
  for (let position = 0; position < source.size; ) {
    position += source.read(bytes, position, 77_777, position)
  }
  return bytes
}

/** The archived file of a path below its root. */
export function fileAt(archive: Archive, path: string): ArchivedFile {
  const found = archive.list().find(file => file.path === path)
  if (found === undefined) throw new Error(`the archive has no ${path}`)
  return found
}

/** Paths of files that discovery takes and whose archived bytes or times are not those on disk. */
export function differences(archive: Archive, root: string): string[] {
  const listed = new Map<string, ArchivedFile>(archive.list().map(file => [file.path, file]))
  return discover([root])
    .flatMap(({ projects }) => projects)
    .flatMap(({ files, sidecars, toolResults }) => [...files, ...sidecars, ...toolResults])
    .filter(({ path }) => {
      const file = listed.get(path)
      return file === undefined || !bytesOf(archive, file).equals(readFileSync(join(root, path)))
    })
    .map(({ path }) => path)
}

/** Every file below a folder with its content, to see that nothing has changed. */
export function contentOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(item => item.isFile())
  const pathOf = (item: Dirent): string => join(item.parentPath, item.name)
  return Object.fromEntries(files.map(item => [pathOf(item), readFileSync(pathOf(item), 'latin1')]))
}

/** A row like a transcript's, with a text of some length. */
export function row(id: string, text = 'x'.repeat(100)): string {
  return `${JSON.stringify({ type: 'user', uuid: id, sessionId: 's', message: { content: text } })}\n`
}
