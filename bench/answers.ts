/**
 * Answers that are kept with the index: `stats`, `doctor`, `tree` and `census` over everything, asked for the first time and
 * again, as processor time of all processes.
 *
 * `npm run bench:answers -- FOLDER...` names folders of transcripts. Nothing is asserted.
 */
import { join } from 'node:path'
import { COMMAND, corpusFolder, print, processorTime, quantile, run, temporaryFolder } from './measure.ts'

const ROUNDS = 5
const COMMANDS = ['stats', 'doctor', 'tree', 'census']

function benchAnswers(folder: string): void {
  const place = ['--root', folder, '--index', join(temporaryFolder(), 'index.db')]
  run([COMMAND, 'sync', ...place])
  for (const name of COMMANDS) {
    const [first = 0, ...again] = Array.from({ length: ROUNDS + 1 }, () =>
      processorTime([COMMAND, name, ...place]),
    )
    print(name, `first ${first.toFixed(2)} s, then ${quantile(again, 0.5).toFixed(2)} s`)
  }
}

const [, , given, ...more] = process.argv
const corpus = corpusFolder(given)
if (corpus === null) print('answers', 'not run, no corpus given and none beside the repository')
for (const folder of corpus === null ? [] : [corpus, ...more]) benchAnswers(folder)
