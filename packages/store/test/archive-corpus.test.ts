/**
 * Real transcripts that people have published: what the archive gives back is what they are. The corpus is not part of
 * the repository: `DAGLINE_CORPUS` names its `projects` folder, or its tarball lies beside the repository.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findCorpus } from '../../core/test/corpus.js'
import { archiveStats, restoreFiles } from '../src/index.js'
import { keep, newArchive, verify } from './archive-support.js'
import { temporaryFolder } from './temporary.js'

const root = findCorpus()

if (root === null) {
  process.stderr.write(
    'not run: archive of the corpus (no DAGLINE_CORPUS, no ../shared/corpus/projects.tar.xz)\n',
  )
  it('archive of the corpus not run: no corpus here', () => expect(root).toBeNull())
}

describe.runIf(root !== null)('the archive of the public corpus', () => {
  it('[K1, K2] gives back every file, and takes at most a fifth of their size', () => {
    const corpus = root ?? ''
    const archive = newArchive()
    const to = temporaryFolder()
    expect(keep(archive, corpus)).toMatchObject({ diagnostics: [] })
    expect(verify(archive)).toMatchObject({ faults: [], damagedBlocks: [], structure: [] })
    const restored = new Set([...restoreFiles(archive, archive.list(), { to })].map(({ target }) => target))
    const paths = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter(path =>
      statSync(join(corpus, path)).isFile(),
    )
    const wrong = paths.filter(
      path =>
        !restored.has(join(to, path)) ||
        !readFileSync(join(to, path)).equals(readFileSync(join(corpus, path))),
    )
    expect(wrong).toEqual([])
    const { bytes, disk } = archiveStats(archive)
    expect(disk).toBeLessThan(bytes / 5)
  }, 120_000)
})
