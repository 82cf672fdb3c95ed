/** B11: the tool that names the prompts behind lines and commits. */
import { type FaceHistory, UserError } from '@dagline/app'
import {
  absentEdits,
  describeAdded,
  describeFate,
  describeLine,
  describeOrigins,
  describeSource,
  isAbandonedEdit,
} from '@dagline/core/blame'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, plural, shortId } from '@dagline/core/format'
import { groupBy } from '@dagline/core/model'
import type {
  BlamedEdit,
  BlamedFile,
  BlamedLine,
  BlamedPrompt,
  CommitSession,
  CommitSessions,
} from '@dagline/core/protocol'
import { z } from 'zod'
import type { Answer } from '../answer.js'
import { defineTool, FROM, MAX_TOKENS, SESSION, type Tool, text } from '../tool.js'
import { refTo } from './find.js'

const LINE = z.number().int().min(1).optional()

export const blame: Tool = defineTool({
  name: 'blame',
  title: 'Prompts behind lines and commits',
  description:
    'Says which session, turn and prompt wrote the lines of a file, or are behind a commit. Use it before changing code whose reason is not clear, or when asked why a line is there: git blame names the commit, this names what the user asked for. Answers have line numbers, prompts and REFs for get_conversation, and not the text of the lines. Give either "file", with or without lines, or "commit".',
  input: z.object({
    file: text(
      'A file that a session changed in its working directory: an absolute path, or one below the working directory.',
    ),
    first_line: LINE.describe('Only from this line of the file, from 1.'),
    last_line: LINE.describe('Only up to this line.'),
    commit: text('The hash of a commit, at least 7 characters, instead of a file.'),
    session: text(
      `For a commit: a session that worked in its repository. ${SESSION} Without it: the repository of the working directory.`,
    ),
    from: FROM,
    max_tokens: MAX_TOKENS,
  }),
  run: async (history, { file, commit, first_line, last_line, session = null, from }) => {
    if ((file === undefined) === (commit === undefined))
      throw new UserError('Give either "file" or "commit", and not both.')
    if (commit !== undefined)
      return { ...commitAnswer(await history.commitShown(commit, session), commit), from }
    return { ...(await fileAnswer(history, file ?? '', [first_line, last_line])), from }
  },
})

/** The first and the last line that are asked for. */
type Range = readonly [first: number | undefined, last: number | undefined]

async function fileAnswer(history: FaceHistory, path: string, [first, last]: Range): Promise<Answer> {
  const from = first ?? 1
  const to = last ?? Number.POSITIVE_INFINITY
  if (to < from) throw new UserError(`Line ${from} is behind line ${to}. Give the first line first.`)
  const file = await history.blameShown(path)
  const total = file.lines.length
  if (from > Math.max(1, total))
    throw new UserError(`The file has ${plural(total, 'line')}; line ${from} is behind its end.`)
  const lines = file.lines.slice(from - 1, to)
  // What is not in the file belongs to none of its lines.
  const absent = first === undefined && last === undefined ? absentEdits(file.edits) : []
  return {
    head: [linesSentence(lines, file), describeSource(file) ?? []].flat(),
    about: [file.path],
    items: [
      ...linesBySource(lines, file),
      ...absent.map(edit => `- not in the file${editText(edit)}\n  ${describeFate(edit)}`),
    ],
  }
}

/** Counts some lines of a file, with the calls that wrote them. */
function linesSentence(lines: readonly BlamedLine[], file: BlamedFile): string {
  const numbers = new Set(lines.flatMap(({ origin, edits }) => (origin === 'edit' ? edits : [])))
  const edits = file.edits.filter((_, nth) => numbers.has(nth))
  return `${describeOrigins({ ...file, lines, edits })}.`
}

/** An item for the lines with the same call or commit and the same evidence, in the order of the file. */
function linesBySource(lines: readonly BlamedLine[], file: BlamedFile): readonly string[] {
  const groups = groupBy(lines, line => JSON.stringify([line.edits, line.commit, describeLine(line, file)]))
  return [...groups.values()].flatMap(group => {
    const [line] = group
    return line === undefined ? [] : [sourceText(line, file, group)]
  })
}

/** Calls that may have written a line, of which more are only counted. */
const MOST_CALLS = 3

function sourceText(line: BlamedLine, file: BlamedFile, group: readonly BlamedLine[]): string {
  const edits = line.edits.flatMap(nth => file.edits[nth] ?? [])
  const commit = line.commit === null ? undefined : file.commits[line.commit]
  const committed =
    commit === undefined ? '' : ` | commit ${shortId(commit.hash)} ${cleanLine(commit.subject)}`
  const shown = edits.slice(0, MOST_CALLS).map(editText)
  const more = edits.length > MOST_CALLS ? [` ${edits.length - MOST_CALLS} more calls`] : []
  const where = rangesText(group.map(each => each.line))
  return `- ${where}${[...shown, ...more].join('\n  or')}${committed}\n  ${describeLine(line, file)}`
}

/** Ranges of lines, of which more are only counted. */
const MOST_RANGES = 12

/** `lines 3-7, 12`. */
function rangesText(numbers: readonly number[]): string {
  const ranges: { readonly from: number; to: number }[] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last?.to === number - 1) last.to = number
    else ranges.push({ from: number, to: number })
  }
  const named = ranges
    .slice(0, MOST_RANGES)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  const more = ranges.length > MOST_RANGES ? [`${ranges.length - MOST_RANGES} more ranges`] : []
  return `${numbers.length === 1 ? 'line' : 'lines'} ${[...named, ...more].join(', ')}`
}

/** A call: its REF, where it stands, and the prompt behind it. */
function editText(edit: BlamedEdit): string {
  const { session, node, tool, time, agent, prompt } = edit
  const place = [
    tool,
    dayAndTime(time),
    agent === null ? '' : `subagent ${agent.name}`,
    isAbandonedEdit(edit) ? edit.status : '',
  ].filter(part => part !== '')
  const call = ` | REF ${refTo(session, node)} | ${place.map(part => cleanLine(part)).join(' | ')}`
  return prompt === null ? call : `${call}\n  ${promptText(session, prompt)}`
}

function promptText(session: string, { node, turn, text: words }: BlamedPrompt): string {
  return `Turn ${turn}, REF ${refTo(session, node)}, asked: ${cleanLine(words)}`
}

function commitAnswer([commit]: readonly CommitSessions[], hash: string): Answer {
  if (commit === undefined) throw new UserError(`git cannot show the commit ${hash}.`, 'no-entry')
  const { sessions, subject, author, time } = commit
  const behind = `${plural(sessions.length, 'session is', 'sessions are')} behind the commit`
  return {
    head: [`${behind}: ${describeAdded(commit)}.`],
    about: [
      `commit ${shortId(commit.hash)} | ${[subject, author, dayAndTime(time)].map(part => cleanLine(part)).join(' | ')}`,
    ],
    items: sessions.map(commitSessionText),
    names: ['session', 'sessions'],
  }
}

/** Files of a session in a commit, and prompts, of which more are only counted. */
const MOST_FILES = 5
const MOST_PROMPTS = 10

function commitSessionText({ session, title, lines, files, prompts, committed }: CommitSession): string {
  const named = files.slice(0, MOST_FILES).map(path => cleanLine(path))
  const more = files.length > MOST_FILES ? [`${files.length - MOST_FILES} more files`] : []
  const wrote = lines === 0 ? [] : [`${plural(lines, 'line')} in ${[...named, ...more].join(', ')}`]
  const made = committed === null ? [] : [`made the commit in REF ${refTo(session, committed)}`]
  const head = `- REF ${shortId(session)} | ${[cleanLine(title ?? '(no title)'), ...wrote, ...made].join(' | ')}`
  const asked = prompts
    .slice(0, MOST_PROMPTS)
    .map(
      prompt =>
        `  ${prompt.lines === 0 ? '' : `${plural(prompt.lines, 'line')}: `}${promptText(session, prompt)}`,
    )
  const left = prompts.length > MOST_PROMPTS ? [`  ${prompts.length - MOST_PROMPTS} more prompts`] : []
  return [head, ...asked, ...left].join('\n')
}
