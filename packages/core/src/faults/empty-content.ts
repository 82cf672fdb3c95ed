import { isUser } from '../graph/nodes.js'
import { BlankString, EmptyBlock, EmptyInResult, NoData } from '../resume/content-marks.js'
import { counted, type FaultKind, type Finding, findingAt, type Patient } from './fault.js'

/** D8: messages with nothing in them. Blocks of white space are none: every release leaves them out. */
export const emptyContent: FaultKind = {
  id: 'empty-content',
  title: 'empty messages',
  meaning: 'A message of the conversation has empty text, no content at all, or an image without data.',
  cost: 'What Claude Code sends of it the API refuses, with every further prompt (400); the rest is left out.',
  fix: 'dagline repair SESSION',
  isRefused: true,
  find: patient => {
    const refused = patient.loaded.nodes.filter(node => isRefused(patient, node))
    return [...describeRefused(patient, refused), ...leftOut(patient, new Set(refused))]
  },
}

/** Whether the API refuses an entry that is sent. */
function isRefused({ graph, extras }: Patient, node: number): boolean {
  const mark = extras.marks.get(graph.id(node)) ?? 0
  const isOfUser = isUser(graph, node)
  return (mark & (EmptyInResult | NoData)) !== 0 || (isOfUser && (mark & BlankString) !== 0)
}

function describeRefused(patient: Patient, refused: readonly number[]): readonly Finding[] {
  const [first] = refused
  if (first === undefined) return []
  const message = `${counted(refused.length, 'entry is', 'entries are')} sent with an empty text or an image without data.`
  return [{ ...findingAt(patient, first, 'error', message), count: refused.length }]
}

/** Newer releases do not send these; with those before 2.1.197 the API refuses every further prompt. */
function leftOut(patient: Patient, refused: ReadonlySet<number>): readonly Finding[] {
  const { graph, file, extras } = patient
  const empty = graph
    .live(file.facts.path)
    .filter(node => ((extras.marks.get(graph.id(node)) ?? 0) & EmptyBlock) !== 0)
    .filter(node => !refused.has(node))
  const [first] = empty
  if (first === undefined) return []
  const message = `${counted(empty.length, 'entry', 'entries')} with empty text, which newer releases leave out.`
  return [{ ...findingAt(patient, first, 'info', message), count: empty.length }]
}
