/** How long searches take in process: queries as people type them, words that are in very many texts, and all roots given. */
import { statSync } from 'node:fs'
import { openIndex, openRangeReader, search } from '@dagline/store'
import { CORPUS_QUERIES } from '../packages/store/test/search-queries.ts'
import { print, printLimited, quantile } from './measure.ts'

/** The first keys of a word, common words and words of programs: each is in thousands of texts. */
const COMMON =
  'the error file test function config session return import const user data type name path commit branch con pro com str ' +
  'err fil tes fun ses ret imp use dat typ nam pat "error" the* e* src/ index.ts package.json README.md'

/** Prints the processor time of one search, over all queries and by kind. */
export function printSearchTimes(path: string): void {
  const index = openIndex(path, { readOnly: true })
  const spans = openRangeReader()
  const roots = [1]
  const queries = [...CORPUS_QUERIES, ...COMMON.split(' ').map(text => ({ kind: 'common', text }))]
  const time = (text: string): number =>
    processorTime(() => search(index, spans, { text, filter: { roots } }))
  print('search', `the first second try, which counts the words: ${time('zzxnotaword').toFixed(0)} ms`)
  const times = queries.map(({ kind, text }) => ({ kind, ms: time(text) }))
  const typed = times.filter(({ kind }) => kind !== 'common')
  // A large index is one of more bytes than that of a few hundred megabytes of transcripts.
  const limit = statSync(path).size > 2e8 ? 60 : 25
  const typedMs = typed.map(({ ms }) => ms)
  const value = quantile(typedMs, 0.95)
  printLimited('search', `${typed.length} queries as people type them, p95`, { value, limit, unit: 'ms' })
  for (const kind of new Set(times.map(each => each.kind)))
    printTimes(
      kind,
      times.filter(each => each.kind === kind),
    )
  index.close()
}

function printTimes(name: string, times: readonly { readonly ms: number }[]): void {
  const ms = times.map(each => each.ms)
  const [half, most] = [quantile(ms, 0.5).toFixed(1), quantile(ms, 0.95).toFixed(1)]
  print('search', `${name}: p50 ${half} ms, p95 ${most} ms, at most ${Math.max(...ms).toFixed(0)} ms`)
}

/** Milliseconds of processor time: the machine may be busy with other things. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
