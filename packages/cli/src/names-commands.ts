/** The commands for names, tags and notes: `name`, `tag` and `note`. */
import type { Command } from 'commander'
import { type Action, command, finish } from './command.js'

/** Adds each of them to a program. */
export const LABEL_COMMANDS: readonly ((program: Command) => void)[] = [name, tag, note]

function name(program: Command): void {
  const made = command(
    program,
    'name [ref] [name...]',
    'Give a session, a branch or an entry a name, which is a REF from then on; or list the names.',
  ).option('--remove', 'take the name away')
  const act: Action = async (console, words, { remove }) => {
    await (await import('./commands/name.js')).name(console, words, remove === true)
  }
  finish(made, act, [
    'dagline name latest tax-rewrite',
    'dagline name a2a9607f@7e083490-abc decimal-attempt',
    'dagline log tax-rewrite',
    'dagline name decimal-attempt --remove',
    'dagline name',
  ])
}

function tag(program: Command): void {
  const made = command(
    program,
    'tag [ref] [tag...]',
    'Tag a session, a branch or an entry; or list the tags with their counts.',
  ).option('--remove', 'take these tags away, or all where none is named')
  const act: Action = async (console, words, { remove }) => {
    await (await import('./commands/tag.js')).tag(console, words, remove === true)
  }
  finish(made, act, [
    'dagline tag latest shop money',
    'dagline ls --tag money',
    'dagline tag latest money --remove',
    'dagline tag',
  ])
}

function note(program: Command): void {
  const made = command(
    program,
    'note [ref] [text...]',
    'Write a note about a session, a branch or an entry; or list the notes.',
  ).option('--remove', 'take the note away')
  const act: Action = async (console, words, { remove }) => {
    await (await import('./commands/note.js')).note(console, words, remove === true)
  }
  finish(
    made,
    act,
    [
      'dagline note latest "The rounding is right here; the tests are not."',
      'git log -1 --format=%B | dagline note latest -',
      'dagline note latest',
      'dagline note',
    ],
    NOTE_WORDS,
  )
}

const NOTE_WORDS = `
Without a text the note is opened in VISUAL or EDITOR on a terminal, and printed elsewhere; the text
- stands for what comes in on stdin. Names, tags and notes are kept in names.json in the XDG data
folder, never in transcripts.
`
