/** The commands that write sessions: repair, checkout, fork, pick, trim, split, undo, history. */
import type { EditWishes } from '@dagline/app'
import { type Command, Option } from 'commander'
import { type Action, command, finish } from './command.js'
import { type Options, textIn } from './options.js'

/** Adds the options that all of them but undo and history have. */
function writing(made: Command): Command {
  return made
    .option('--title <text>', 'a title for the new session')
    .option('--out <dir>', 'another projects root for the new session')
    .option('--snapshot', 'also where the session is being written to: as it is at this moment')
    .option('-n, --dry-run', 'make and check everything, and write nothing')
}

function wishesOf(options: Options): EditWishes {
  return {
    out: textIn(options, 'out'),
    title: textIn(options, 'title'),
    snapshot: options['snapshot'] === true,
    dryRun: options['dryRun'] === true,
  }
}

function repair(program: Command): void {
  const only = new Option('--only <kind>', 'mend only faults of this kind; may be repeated')
  const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]
  const made = writing(
    command(program, 'repair <session>', 'Mend a session, so that a resume reaches all of it: as a new one.'),
  )
    .addOption(only.argParser(collect))
    .option('--in-place', 'mend the session itself; its original is kept for dagline undo')
    .option('-y, --yes', 'do not ask')
    .option('--accept-loss', 'also where a resume loads less of the result than it loads today')
  const act: Action = async (console, [session = ''], options) => {
    await (await import('./commands/repair.js')).repair(console, session, {
      ...wishesOf(options),
      only: Array.isArray(options['only']) ? options['only'].map(String) : [],
      inPlace: options['inPlace'] === true,
      yes: options['yes'] === true,
      acceptLoss: options['acceptLoss'] === true,
    })
  }
  finish(made, act, [
    'dagline repair latest --dry-run',
    'dagline repair 4539d2d0 --yes',
    'dagline repair 4539d2d0 --only dangling-parent --in-place',
    'dagline repair 4539d2d0 --yes --json | jq -r .resume',
  ])
}

function checkout(program: Command): void {
  const made = writing(
    command(
      program,
      'checkout <ref|session>',
      'Make any point a session to resume: a branch, a message, before a compaction, an agent.',
    ),
  ).option('--at <date>', 'as it was then: 2026-03-01, 2026-03-01T10:00')
  const act: Action = async (console, [ref = ''], options) => {
    const { checkout } = await import('./commands/checkout.js')
    await checkout(console, ref, { ...wishesOf(options), at: textIn(options, 'at') })
  }
  finish(made, act, [
    'dagline checkout a2a9607f@7e083490',
    'dagline checkout 79cad093',
    'dagline checkout 4539d2d0 --at 2026-03-01T10:00',
    "dagline checkout '4539d2d0#agent-a0fa6aa9'",
    'dagline checkout 79cad093 --json | jq -r .resume',
  ])
}

function fork(program: Command): void {
  const made = writing(
    command(
      program,
      'fork <ref|session>',
      'Copy a session up to a point, with all branches, to go on from there.',
    ),
  )
  const act: Action = async (console, [ref = ''], options) => {
    await (await import('./commands/fork.js')).fork(console, ref, wishesOf(options))
  }
  finish(made, act, ['dagline fork 79cad093', 'dagline fork latest --title "second try"'])
}

const PICK_WORDS: string = `
The id of an entry means its whole turn, that of a branch all turns of it. They stand behind the point
in the order in which they are named.
`

function pick(program: Command): void {
  const made = writing(
    command(
      program,
      'pick <ref...>',
      'Take turns from one branch to the end of another, each with all its calls.',
    ),
  ).requiredOption('--onto <ref>', 'the point they go behind: an entry, a branch or a session')
  const act: Action = async (console, refs, options) => {
    const { pick } = await import('./commands/pick.js')
    await pick(console, refs, { ...wishesOf(options), onto: textIn(options, 'onto') ?? '' })
  }
  finish(
    made,
    act,
    [
      'dagline pick 7e083490 --onto latest',
      'dagline pick 7e083490 a3627c41 --onto 79cad093 --title "both ideas"',
      'dagline pick a2a9607f@7e083490 --onto a2a9607f',
    ],
    PICK_WORDS,
  )
}

function trim(program: Command): void {
  const made = writing(
    command(
      program,
      'trim <session>',
      'Copy a session with less in it: shorter outputs, no images or thoughts.',
    ),
  )
    .option('--outputs <chars>', 'shorten outputs of tools to so many characters')
    .option('--images', 'leave images out')
    .option('--thinking', 'leave thoughts out, except those of the last turn')
    .option('--progress', 'leave progress entries out')
  const act: Action = async (console, [session = ''], options) => {
    await (await import('./commands/trim.js')).trim(console, session, {
      ...wishesOf(options),
      outputs: textIn(options, 'outputs'),
      images: options['images'] === true,
      thinking: options['thinking'] === true,
      progress: options['progress'] === true,
    })
  }
  finish(made, act, [
    'dagline trim latest --outputs 2000',
    'dagline trim 4539d2d0 --images --thinking --dry-run',
    'dagline trim 4539d2d0 --outputs 500 --json | jq .saved',
  ])
}

function split(program: Command): void {
  const made = writing(
    command(program, 'split <session>', 'Make two sessions of one, cut before the turn of an entry.'),
  ).requiredOption('--at <ref>', 'the second one begins with the prompt of this entry')
  const act: Action = async (console, [session = ''], options) => {
    const { split } = await import('./commands/split.js')
    await split(console, session, { ...wishesOf(options), at: textIn(options, 'at') ?? '' })
  }
  finish(made, act, [
    'dagline split latest --at 79cad093',
    'dagline split 4539d2d0 --at 79ca --json | jq .parts',
  ])
}

function undo(program: Command): void {
  const made = command(
    program,
    'undo [number]',
    'Take back the last edit, or the one with a number of history.',
  )
  const act: Action = async (console, [number]) => {
    await (await import('./commands/undo.js')).undo(console, number)
  }
  finish(made, act, ['dagline undo', 'dagline undo 3'])
}

function history(program: Command): void {
  const made = command(program, 'history', 'List what was edited, and what can be taken back.')
  const act: Action = async console => {
    await (await import('./commands/history.js')).history(console)
  }
  finish(made, act, ['dagline history', "dagline history --json | jq '.edits[-1]'"])
}

/** All of them, in the order of the help. */
export const EDIT_COMMANDS: readonly ((program: Command) => void)[] = [
  repair,
  checkout,
  fork,
  pick,
  trim,
  split,
  undo,
  history,
]
