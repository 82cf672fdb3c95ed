/** `dagline lessons`: what was tried, and how it ended. */
import type { LessonItem } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, isoTime, shortId } from '@dagline/core/format'
import { LESSON_OUTCOMES } from '@dagline/core/lessons'
import { type AddCommand, choice, defineCommand } from '../command.js'
import type { Console } from '../console.js'
import type { LessonJson } from '../json/lists.js'
import { LIST_OPTIONS, printList } from '../list.js'
import { fit, wrap } from '../print/width.js'

const NOTES = `
rejected  a rewound turn that Claude had answered and you replaced by another prompt; an edit that was undone later
solved    a command that failed, and succeeded after files were changed
open      the transcripts do not show how it ended

Every REF can be opened with "dagline show" or "dagline log".
`

export const lessonsCommand: AddCommand = defineCommand({
  usage: 'lessons [session|path]',
  description: 'List what was tried and given up: rewound turns, edits undone later, commands that failed.',
  options: {
    ...LIST_OPTIONS,
    outcome: choice('--outcome <outcome>', 'only lessons with this outcome', LESSON_OUTCOMES, null),
  },
  examples: [
    'dagline lessons',
    'dagline lessons --outcome rejected -n 10',
    'dagline lessons latest',
    "dagline lessons --json | jq '.lessons[].ended'",
  ],
  notes: NOTES,
  run: async (console, [word], options) => {
    const { outcome, limit, jsonl, ...filter } = options
    const all = await console.history.lessons({ ...filter, session: word ?? null })
    const found = all.filter(lesson => outcome === null || lesson.outcome === outcome)
    const rows = found.slice(0, limit ?? undefined)
    await printList(console, options, {
      command: 'lessons',
      rows,
      facts: factsOf,
      json: lessons => ({ lessons }),
      lines: shown => shown.flatMap(lesson => linesOf(console, lesson)),
    })
    if (found.length === 0 && all.length > 0) console.note(`No lessons are ${outcome}.`)
  },
})

function factsOf({ time, ...lesson }: LessonItem): LessonJson {
  return { ...lesson, time: isoTime(time) }
}

/** The columns before the texts of a lesson. */
const NAMES = 9

function linesOf({ style, width }: Console, lesson: LessonItem): readonly string[] {
  const { outcome, kind, time, session, asked, tried, ended, refs } = lesson
  const paint = outcome === 'rejected' ? style.bad : outcome === 'solved' ? style.good : style.faint
  const head = `${dayAndTime(time)}  ${paint(outcome)} ${kind}  ${style.id(shortId(session))}`
  const line = (name: string, text: string): string => fit(`  ${name.padEnd(7)}${cleanLine(text)}`, width)
  const [end = '', ...more] = wrap(cleanLine(ended), width - NAMES)
  return [
    head,
    ...(asked === null ? [] : [line('asked', asked)]),
    ...(tried.length === 0 ? [] : [line('tried', tried.join('; '))]),
    line('ended', end),
    ...more.map(text => ' '.repeat(NAMES) + text),
    `  ${style.faint('refs')}   ${refs.map(ref => style.id(shortRef(ref, session))).join(' ')}`,
    '',
  ]
}

/** Branches keep the beginning of their session: it is part of their name. */
function shortRef(ref: string, session: string): string {
  return ref.startsWith(session) ? ref.replace(session, shortId(session)) : shortId(ref)
}
