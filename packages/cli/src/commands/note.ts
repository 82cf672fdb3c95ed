/** `dagline note`: what people want to remember of a session, a branch or an entry. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonLines, type Label, labelOf, UserError } from '@dagline/app'
import { cleanText } from '@dagline/core/content'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { labelRecord, labelsWith, noteLines, shortLabelId } from '../print/names.js'

/** Adds `dagline note`. */
export function addNote(program: Command): void {
  const made = command(
    program,
    'note [ref] [text...]',
    'Write a note about a session, a branch or an entry, or list the notes.',
  ).option('--remove', 'remove the note')
  const act: Action = async (console, words, { remove }) => {
    await note(console, words, remove === true)
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

/** Lists the notes, shows or writes one, or takes one away. */
async function note(console: Console, words: readonly string[], isRemoved: boolean): Promise<void> {
  const [ref, ...rest] = words
  if (ref === undefined) {
    if (isRemoved) throw new UserError('Say from what: dagline note REF --remove.')
    return await listNotes(console)
  }
  const thing = await console.history.find(ref)
  const before = labelOf(console.history.labels(), thing)
  if (isRemoved && before.note === null)
    throw new UserError(`${ref} has no note: \`dagline note\` lists the notes.`)
  const text = isRemoved ? null : textFrom(console, rest, before)
  const isChanged = text !== before.note
  const label = isChanged ? console.history.label(thing, { note: text }) : before
  await tell(console, label, isChanged)
}

/** The words; with `-` what comes in on stdin; without any what an editor leaves. Else the note as it is. */
function textFrom(console: Console, rest: readonly string[], { note: before }: Label): string | null {
  if (rest.length === 1 && rest[0] === '-') return readFileSync(0, 'utf8')
  if (rest.length > 0) return rest.join(' ')
  const editor = process.env['VISUAL'] || process.env['EDITOR'] || ''
  const canEdit = console.isTerminal && process.stdin.isTTY === true && editor !== '' && !console.options.json
  return canEdit ? edited(editor, before ?? '') || before : before
}

/** What the user's editor leaves of a text. */
function edited(editor: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'dagline-note-'))
  const path = join(folder, 'note.txt')
  try {
    writeFileSync(path, text, { mode: 0o600 })
    const { status, error } = spawnSync(`${editor} "${path}"`, { stdio: 'inherit', shell: true })
    if (error !== undefined || status !== 0)
      throw new UserError(`The editor (${editor}) did not end well; the note is as it was.`)
    return readFileSync(path, 'utf8').trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tell(console: Console, label: Label, isChanged: boolean): Promise<void> {
  const what = `The ${label.kind} ${shortLabelId(label)}`
  if (console.options.json)
    await console.print(jsonLines(Object.entries({ dagline: 1, ...labelRecord(label) })))
  else if (!isChanged && label.note !== null) await console.print(cleanText(label.note).split('\n'))
  if (isChanged)
    console.note(label.note === null ? `${what} has no note any more.` : `${what} has a note now.`)
  else if (label.note === null)
    console.note(`${what} has no note: give a text, \`-\` for what comes in, or set EDITOR.`)
}

async function listNotes(console: Console): Promise<void> {
  const noted = labelsWith(console.history.labels(), label => label.note !== null)
  if (console.options.json) {
    const list = noted.map(labelRecord)
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['labels', { list }],
      ]),
    )
  } else await console.print(noteLines(console, noted))
  if (noted.length === 0) console.note('There are no notes yet: dagline note REF TEXT writes one.')
}
