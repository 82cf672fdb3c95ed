/** Compares what a reader says of a recording with what was sent. */

/**
 * @typedef {object} Answer What a reader says of one transcript; see README.md for the contract.
 * @property {string} file
 * @property {string[]} live
 * @property {string[]} [abandoned]
 * @property {string[]} [others]
 */

/** What is counted of a recording, and added up over many. */
export const COUNTS = [
  'sessions',
  'strict',
  'lenient',
  'ordered',
  'entries',
  'missing',
  'abandoned',
  'shownAbandoned',
  'subagents',
  'atCall',
  'subagentFiles',
  'subagentsRight',
  'rows',
  'lost',
]

/** Counts of zero. */
export function noCounts() {
  return Object.fromEntries(COUNTS.map(name => [name, 0]))
}

/** The sum of some counts. */
export function sumOf(list) {
  return Object.fromEntries(
    COUNTS.map(name => [name, list.reduce((sum, counts) => sum + (counts[name] ?? 0), 0)]),
  )
}

/**
 * Scores the answers about one recording.
 * @returns counts, and what is wrong in words
 */
export function scoreRecording({ files, calls }, { sessions: answers, subagents = [] }) {
  const byFile = new Map(answers.map(answer => [answer.file, answer]))
  const shown = new Set(
    answers.flatMap(({ live, abandoned = [], others = [] }) => [live, abandoned, others].flat()),
  )
  const scores = files.map(file => scoreFile(file, byFile.get(file.path), shown))
  const agents = scoreCalls(calls, subagents)
  return {
    counts: sumOf([...scores.map(({ counts }) => counts), agents.counts]),
    problems: [...scores.flatMap(({ problems }) => problems), ...agents.problems],
  }
}

function scoreFile(file, answer, shown) {
  const verdict = compareLive(file, answer?.live ?? [])
  const { missing, extra, silent, isOrdered, isOrderedLeniently } = verdict
  const isRight = missing.length + extra.length + silent === 0
  const isNearlyRight =
    missing.every(uuid => isForgivenMissing(file, uuid)) && extra.every(uuid => isForgivenExtra(file, uuid))
  const isStrict = isRight && isOrdered
  const isLenient = isStrict || (isNearlyRight && isOrderedLeniently)
  const abandoned = file.unsent.filter(uuid => !isForgivenExtra(file, uuid))
  const lost = file.all.filter(uuid => !shown.has(uuid) && !isForgivenMissing(file, uuid))
  const common = { rows: file.all.length, lost: lost.length }
  const counts = file.isAgent
    ? { ...common, subagentFiles: 1, subagentsRight: Number(isLenient) }
    : {
        ...common,
        sessions: 1,
        strict: Number(isStrict),
        lenient: Number(isLenient),
        ordered: Number(isOrdered),
        entries: file.live.length,
        missing: missing.filter(uuid => !isForgivenMissing(file, uuid)).length,
        abandoned: abandoned.length,
        shownAbandoned: abandoned.filter(uuid => extra.includes(uuid)).length,
      }
  return { counts, problems: isStrict ? [] : [problemOf(file, answer, verdict, isLenient)] }
}

/** The live set and order of a reader in the terms of the truth. */
function compareLive({ live, oneOf, unsent, entries }, told) {
  const [isLive, isTold, isUnsent] = [live, told, unsent].map(list => new Set(list))
  const ours = told.filter(uuid => isLive.has(uuid))
  const both = live.filter(uuid => isTold.has(uuid))
  const spoken = list => list.filter(uuid => (entries.get(uuid)?.results ?? []).length === 0)
  return {
    missing: live.filter(uuid => !isTold.has(uuid)),
    extra: told.filter(uuid => isUnsent.has(uuid)),
    silent: oneOf.filter(group => !group.some(uuid => isTold.has(uuid))).length,
    isOrdered: ours.join() === both.join(),
    // A page may show a result beside its call, wherever it was written.
    isOrderedLeniently: spoken(ours).join() === spoken(both).join(),
  }
}

/** What a page may hide: thinking, and what the client wrote for itself. */
function isForgivenMissing({ entries }, uuid) {
  const entry = entries.get(uuid)
  return entry === undefined || entry.isThinking || entry.isMeta || entry.isNotice
}

/** What a page may show as part of the conversation: what a compaction removed, notices, and subagents inside. */
function isForgivenExtra({ entries }, uuid) {
  const entry = entries.get(uuid)
  return entry === undefined || entry.isCompacted || entry.isMeta || entry.isNotice || entry.isSidechain
}

function problemOf({ path }, answer, { missing, extra, silent, isOrdered }, isLenient) {
  if (answer === undefined) return `${path}: not in the answer`
  const parts = [
    missing.length > 0 && `lacks ${missing.length} live (${missing[0]})`,
    extra.length > 0 && `has ${extra.length} that were not sent (${extra[0]})`,
    silent > 0 && `lacks ${silent} of entries with equal text`,
    !isOrdered && 'has another order',
  ].filter(part => part !== false)
  return `${path}: ${parts.join(', ')}${isLenient ? '; forgiven by the lenient score' : ''}`
}

function scoreCalls(calls, subagents) {
  const told = new Map(subagents.map(({ file, call }) => [file, call]))
  const wrong = [...calls].filter(([file, call]) => told.get(file) !== call)
  return {
    counts: { subagents: calls.size, atCall: calls.size - wrong.length },
    problems: wrong.map(([file, call]) => `${file}: its call is ${call}, not ${told.get(file) ?? 'unknown'}`),
  }
}
