/** What each finding means and what to do about it, for people who meet it: docs/SPEC.md has the rules. */

/** A kind of finding in plain words. */
export interface DiagnosticHelp {
  /** A few words, for a heading. */
  readonly title: string
  /** What it says about the conversation. */
  readonly meaning: string
  /** What to do; null where there is nothing to do. */
  readonly advice: string | null
}

/** The help for a rule; of one that is not known, the rule itself. */
export function helpFor(rule: string): DiagnosticHelp {
  const help = Object.hasOwn(DIAGNOSTIC_HELP, rule) ? DIAGNOSTIC_HELP[rule] : undefined
  return help ?? { title: rule, meaning: 'This page does not know this finding.', advice: null }
}

/** By rule. */
export const DIAGNOSTIC_HELP: Readonly<Record<string, DiagnosticHelp>> = {
  'parse/not-json': {
    title: 'A row is not JSON',
    meaning:
      'A write was cut short, or a program changed the file. What stood in the row is missing from the conversation.',
    advice:
      'Look at the row. If there is a copy of the file, in the archive or a backup, restore it from there.',
  },
  'parse/not-an-object': {
    title: 'A row is no record',
    meaning: 'The row is valid JSON, but not an object. It is kept and has no place in the conversation.',
    advice: 'Something other than Claude Code wrote to the file. Find out what, so that it does not do more.',
  },
  'parse/joined-rows': {
    title: 'Several records on one row',
    meaning:
      'Two writers met, or a newline was lost. All of the records are read here, but Claude Code may lose them on resume.',
    advice: 'Nothing to do for reading. Do not run two processes on one session.',
  },
  'parse/multi-row': {
    title: 'A record over several rows',
    meaning:
      'A program, probably an editor, has formatted the JSON of a record. It is read as one record, here and by Claude Code.',
    advice: 'Nothing to do.',
  },
  'parse/nul-bytes': {
    title: 'NUL bytes in a row',
    meaning:
      'A crash or a full disk left empty bytes in the file. They are skipped, and the rest of the row is read.',
    advice: 'If the row matters, compare it with a backup.',
  },
  'parse/bom': {
    title: 'A byte order mark',
    meaning: 'An editor has probably saved this file. The mark is skipped.',
    advice: null,
  },
  'parse/invalid-utf8': {
    title: 'Bytes that are no text',
    meaning: 'They are shown as the replacement character; the file keeps them as they are.',
    advice: null,
  },
  'parse/crlf': {
    title: 'Line ends of Windows',
    meaning: 'Rows end in CRLF, as after an editor or a copy. The carriage returns are skipped.',
    advice: null,
  },
  'parse/torn-row': {
    title: 'The last row is not finished',
    meaning: 'Either it is being written this moment, or its writer was killed and the row is lost.',
    advice:
      'If the session is not running any more, its last entry is lost. The conversation goes on from the one before.',
  },
  'parse/reduced-row': {
    title: 'A very long row',
    meaning:
      'It is too long to hold in memory. Its ids are whole, its long texts are cut here and whole in the file.',
    advice: null,
  },
  'parse/lone-surrogate': {
    title: 'Half of a character',
    meaning: 'A typed text holds half of a character, such as a cut emoji. It is kept as it is.',
    advice: 'If Claude Code refuses to resume the session, this text may be why.',
  },
  'parse/no-type': {
    title: 'A record without a type',
    meaning: 'Nobody can say what it is. It is kept, so that the chain through it holds.',
    advice: 'See the unknown types below.',
  },
  'dag/orphan': {
    title: 'The parent is missing',
    meaning: 'An entry goes on from one that is in no file. What came before it may be lost.',
    advice:
      'A file of the project is probably missing: deleted, or not copied along. The message names the likely parent.',
  },
  'dag/cycle': {
    title: 'Entries in a circle',
    meaning: 'Parents lead back to where they began. The circle was cut at the named entry.',
    advice: 'The file was edited or merged by hand. Restore it from a copy if you can.',
  },
  'dag/self-parent': {
    title: 'An entry is its own parent',
    meaning: 'It was made the beginning of a conversation of its own.',
    advice: 'The file was edited by hand. Restore it from a copy if you can.',
  },
  'dag/second-root': {
    title: 'A second beginning',
    meaning: 'A session begins once more in the middle. What stood before may be missing.',
    advice: 'Look at the place. If the start of the session is in another file, put the files side by side.',
  },
  'dag/missing-parent': {
    title: 'An answer or a result without a parent',
    meaning:
      'It names no entry before it, though it cannot be a beginning. A result is read behind its call, an answer behind the entry written before it.',
    advice:
      'Claude Code takes it for a beginning and loads nothing before it. `dagline doctor` says what that costs.',
  },
  'dag/unplaced-nodes': {
    title: 'Entries without a place',
    meaning: 'Some entries are on no line, or on two. This is a fault of dagline, not of the file.',
    advice: 'Please report it, with the shape of the session (`dagline graph --json`).',
  },
  'dag/duplicate-row': {
    title: 'An entry twice in one file',
    meaning: 'The same entry was written again. It counts once.',
    advice: null,
  },
  'dag/stray-result': {
    title: 'A result without its call',
    meaning: 'A tool answered, and nothing called it. Its call may be in a file that was deleted.',
    advice: 'Look for a missing file of the session or of an agent.',
  },
  'dag/unanswered-call': {
    title: 'A call without a result',
    meaning: 'It was interrupted or killed, or it is still running.',
    advice: null,
  },
  'dag/unknown-agent': {
    title: 'Nobody called this agent',
    meaning: 'Nothing tells which call started it. It is shown as a line of its own.',
    advice: 'The conversation that called it is probably in a file that is gone.',
  },
  'dag/missing-agent-file': {
    title: "An agent's file is missing",
    meaning: 'A result names an agent whose file is not there: deleted, or not copied with the session.',
    advice: 'Copy the folder with the name of the session along with its file.',
  },
  'dag/broken-compaction': {
    title: 'A compaction names what is not there',
    meaning: 'Its parent, or messages that it kept, do not exist. The nearest that does exist was taken.',
    advice: 'Before you resume the session, look at what is live: Claude Code may see less.',
  },
  'dag/unfinished-compaction': {
    title: 'A compaction was not finished',
    meaning: 'It has no summary. It removed nothing: the messages before it stay live.',
    advice: 'Nothing is lost. Resume the session and compact again if you need to.',
  },
  'dag/lost-input': {
    title: 'Input that never arrived',
    meaning: 'Something was typed while Claude worked, and was never delivered.',
    advice: 'The message holds the text: send it again if it still matters.',
  },
  'dag/ambiguous-live': {
    title: 'Two live readings',
    meaning:
      'The session was resumed in the middle of a message, and both readings were really sent. The later one is shown.',
    advice: null,
  },
  'dag/forgotten-turns': {
    title: 'Turns that were forgotten',
    meaning:
      'After a crash Claude Code went on from an older place and dropped the turns since. They are shown as abandoned.',
    advice: 'If they matter, open them and go on from there.',
  },
  'dag/foreign-session': {
    title: 'Rows of another session',
    meaning: 'A file holds rows that carry another session id: it is a copy, or was resumed.',
    advice: null,
  },
  'store/unreadable': {
    title: 'A file could not be read',
    meaning: 'Its content is missing from every answer. Everything else was read.',
    advice: 'Check the permissions of the file and of its folder.',
  },
  'store/vanished': {
    title: 'A file disappeared',
    meaning: 'It was there when files were listed, and gone when it was read; or a link leads nowhere.',
    advice: 'Nothing, if you moved it. A session may have gone to another project folder.',
  },
  'store/rewritten': {
    title: 'A file kept changing',
    meaning:
      'It was rewritten each time while it was being archived. The archive does not have it as it is now.',
    advice: 'Run `dagline archive` again.',
  },
  'store/linked-twice': {
    title: 'A folder is linked twice',
    meaning: 'A link leads to a folder that is read at another place. Nothing is missing.',
    advice: null,
  },
  'store/odd-sidecar': {
    title: 'A side file is not readable',
    meaning:
      'A file beside a transcript holds no JSON object. What it would have told is found by weaker evidence, or not at all.',
    advice: null,
  },
}
