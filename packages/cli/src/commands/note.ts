/** `dagline note`: what people want to remember of a session, a branch or an entry. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Label, labelOf, UserError } from '@dagline/app'
import { cleanText } from '@dagline/core/content'
import { type AddCommand, defineCommand, flag } from '../command.js'
import type { Console } from '../console.js'
import { shared } from '../options.js'
import { labelFields, labelSubject, listLabels } from '../print/names.js'

export const noteCommand: AddCommand = defineCommand({
  usage: 'note [ref] [text...]',
  description: 'Write a note about a session, a branch or an entry, or list the notes.',
  options: { remove: flag(...shared('remove')) },
  examples: [
    'dagline note latest "The rounding is right here; the tests are not."',
    'git log -1 --format=%B | dagline note latest -',
    'dagline note latest',
    'dagline note',
  ],
  notes: `
Without a text, the note opens in VISUAL or EDITOR on a terminal, and is printed elsewhere. The text
"-" reads the note from stdin. Names, tags and notes are kept in names.json in the XDG data folder,
never in transcripts.
`,
  run: async (console, [ref, ...words], { remove }) => {
    if (ref === undefined && remove) throw new UserError('Give a REF: `dagline note REF --remove`.')
    if (ref === undefined)
      return await listLabels(
        console,
        'note',
        'There are no notes yet. Run `dagline note REF TEXT` to write one.',
      )
    const labelled = await console.history.find(ref)
    const before = labelOf(console.history.labels(), labelled)
    if (remove && before.note === null)
      throw new UserError(`${ref} has no note. Run \`dagline note\` to list the notes.`)
    const text = remove ? null : textFrom(console, words, before)
    const isChanged = text !== before.note
    await report(console, isChanged ? console.history.label(labelled, { note: text }) : before, isChanged)
  },
})

/** The words; what stdin has for `-`; what the editor leaves where there are no words. Else the note as it is. */
function textFrom(console: Console, words: readonly string[], { note }: Label): string | null {
  if (words.length === 1 && words[0] === '-') return readFileSync(0, 'utf8')
  if (words.length > 0) return words.join(' ')
  const editor = process.env['VISUAL'] || process.env['EDITOR'] || ''
  const canEdit = console.isTerminal && process.stdin.isTTY === true && editor !== '' && !console.options.json
  return canEdit ? edited(editor, note ?? '') || note : note
}

/** What the user's editor leaves of a text. */
function edited(editor: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'dagline-note-'))
  const path = join(folder, 'note.txt')
  try {
    writeFileSync(path, text, { mode: 0o600 })
    const { status, error } = spawnSync(`${editor} "${path}"`, { stdio: 'inherit', shell: true })
    if (error !== undefined || status !== 0)
      throw new UserError(`The editor (${editor}) failed, so the note was not changed.`)
    return readFileSync(path, 'utf8').trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function report(console: Console, label: Label, isChanged: boolean): Promise<void> {
  const subject = labelSubject(label)
  const { note } = label
  if (console.options.json) await console.printJson('note', labelFields(label))
  else if (!isChanged && note !== null) await console.print(cleanText(note).split('\n'))
  if (isChanged)
    console.note(note === null ? `${subject} no longer has a note.` : `${subject} now has a note.`)
  else if (note === null)
    console.note(`${subject} has no note. Give a text, \`-\` to read it from stdin, or set EDITOR.`)
}
