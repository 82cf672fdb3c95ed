// Writes the samples that come with the command, from the stories in scripts/samples. A test keeps them fresh.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './lib/sources.ts'
import { STORIES } from './samples/stories.ts'
import { writeStories } from './samples/writer.ts'

const OUT = join(ROOT, 'fixtures', 'samples', 'projects')

rmSync(OUT, { recursive: true, force: true })
for (const { path, text } of writeStories(STORIES)) {
  mkdirSync(dirname(join(OUT, path)), { recursive: true })
  writeFileSync(join(OUT, path), text)
}
