/**
 * Answers that are kept with the index: `stats`, `doctor`, `tree` and `census` over everything, asked for the first time and
 * again, as processor time of all processes.
 *
 * `npm run bench:answers -- FOLDER...` names folders of transcripts. Nothing is asserted.
 */
import {
  COMMAND,
  corpusFolder,
  peakMemory,
  print,
  printLimited,
  processorTime,
  quantile,
  syncedIndex,
} from './measure.ts'

const ROUNDS = 5
const COMMANDS = ['stats', 'doctor', 'tree', 'census']

function benchAnswers(folder: string, isLarge: boolean): void {
  const place = ['--root', folder, '--index', syncedIndex(folder)]
  for (const name of COMMANDS) {
    const what = isLarge ? `${name}, large root` : name
    const [first = 0, ...again] = Array.from({ length: ROUNDS + 1 }, () =>
      processorTime([COMMAND, name, ...place]),
    )
    const text = `first ${first.toFixed(2)} s of processor time, then`
    printLimited(what, text, { value: quantile(again, 0.5), limit: isLarge ? 1 : 0.3, unit: 's' })
    const memory = peakMemory([COMMAND, name, ...place]) / 1024
    printLimited(what, 'peak memory', { value: memory, limit: 250, unit: 'MB' })
  }
}

const [, , given, ...more] = process.argv
const corpus = corpusFolder(given)
if (corpus === null) print('answers', 'not run, no corpus given and none beside the repository')
if (corpus !== null) benchAnswers(corpus, false)
for (const folder of more) benchAnswers(folder, true)
