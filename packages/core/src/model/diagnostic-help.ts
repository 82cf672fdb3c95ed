/** What each diagnostic means and what to do about it, for people who meet it: docs/SPEC.md has the rules. */

/** A kind of diagnostic in plain words. */
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
  return help ?? { title: rule, meaning: 'This version has no description of this diagnostic.', advice: null }
}

/** By rule. */
export const DIAGNOSTIC_HELP: Readonly<Record<string, DiagnosticHelp>> = {
  'parse/not-json': {
    title: 'A row is not JSON',
    meaning:
      'A write was cut short, or another program changed the file. The conversation lacks what the row held.',
    advice: 'Look at the row. If the archive or a backup has the file, restore it from there.',
  },
  'parse/not-an-object': {
    title: 'A row is not a record',
    meaning: 'The row is valid JSON, but not an object. It is kept and is not part of the conversation.',
    advice: 'Another program wrote to the file. Find out which one, so that it does not do so again.',
  },
  'parse/joined-rows': {
    title: 'Several records on one row',
    meaning:
      'Two processes wrote at the same time, or a newline was lost. dagline reads all of the records; Claude Code may lose them on resume.',
    advice: 'Do not run two processes on one session. `dagline doctor` shows what a resume loses.',
  },
  'parse/multi-row': {
    title: 'A record over several rows',
    meaning:
      'A program, probably an editor, has formatted the JSON of a record. dagline and Claude Code read it as one record.',
    advice: 'Nothing to do.',
  },
  'parse/nul-bytes': {
    title: 'NUL bytes in a row',
    meaning:
      'A crash or a full disk left NUL bytes in the file. They are skipped, and the rest of the row is read.',
    advice: 'If the row matters, compare it with a backup.',
  },
  'parse/bom': {
    title: 'A byte order mark',
    meaning: 'An editor has probably saved this file. The mark is skipped.',
    advice: null,
  },
  'parse/invalid-utf8': {
    title: 'Bytes that are not valid UTF-8',
    meaning: 'They are shown as the replacement character. The file keeps them as they are.',
    advice: null,
  },
  'parse/crlf': {
    title: 'Windows line endings',
    meaning: 'Rows end in CRLF, as after an editor or a copy. The carriage returns are skipped.',
    advice: null,
  },
  'parse/torn-row': {
    title: 'The last row is not finished',
    meaning: 'It is being written right now, or the process that wrote it was killed and the row is lost.',
    advice:
      'If the session no longer runs, its last entry is lost. The conversation continues from the entry before it.',
  },
  'parse/reduced-row': {
    title: 'A very long row',
    meaning:
      'It is too long to hold in memory. Its ids are complete; its long texts are cut here and complete in the file.',
    advice: null,
  },
  'parse/lone-surrogate': {
    title: 'Half of a character',
    meaning: 'A typed text holds half of a character, for example a cut emoji. It is kept as it is.',
    advice: 'If Claude Code refuses to resume the session, this text may be why.',
  },
  'parse/no-type': {
    title: 'A record without a type',
    meaning: 'Its kind is unknown. It is kept, so that entries that follow it stay connected.',
    advice: 'Run `dagline census` to list unknown types.',
  },
  'dag/orphan': {
    title: 'The parent is missing',
    meaning: 'An entry continues from one that no file has. What came before it may be lost.',
    advice:
      'A file of the project is probably missing: deleted, or not copied along. The message names the likely parent.',
  },
  'dag/cycle': {
    title: 'A cycle of parents',
    meaning: 'The parents of some entries lead back to themselves. The cycle was cut at the named entry.',
    advice: 'The file was edited or merged by hand. Restore it from a copy if you can.',
  },
  'dag/self-parent': {
    title: 'An entry is its own parent',
    meaning: 'It is read as the start of a conversation of its own.',
    advice: 'The file was edited by hand. Restore it from a copy if you can.',
  },
  'dag/second-root': {
    title: 'A second start',
    meaning: 'The session starts again in the middle of the file. What came before may be missing.',
    advice:
      'Look at the row. If the start of the session is in another file, put both files into one project folder.',
  },
  'dag/missing-parent': {
    title: 'An answer or a result without a parent',
    meaning:
      'It names no parent, although it cannot start a conversation. A result is read after its call, an answer after the entry written before it.',
    advice:
      'Claude Code reads it as a start and loads nothing before it. `dagline doctor` shows what that loses.',
  },
  'dag/unplaced-nodes': {
    title: 'Entries that are on no line',
    meaning: 'Some entries are on no line, or on two. This is a bug in dagline, not a fault of the file.',
    advice: 'Please report it, with the shape of the session (`dagline graph --json`).',
  },
  'dag/duplicate-row': {
    title: 'An entry twice in one file',
    meaning: 'The same entry was written again. It counts once.',
    advice: null,
  },
  'dag/stray-result': {
    title: 'A result without its call',
    meaning:
      'A tool returned a result, and no entry has its call. The call may be in a file that was deleted.',
    advice: 'Look for a missing file of the session or of a subagent.',
  },
  'dag/unanswered-call': {
    title: 'A call without a result',
    meaning: 'It was interrupted or killed, or it is still running.',
    advice: null,
  },
  'dag/unknown-agent': {
    title: 'A subagent without a call',
    meaning: 'It is unknown which call started this subagent. It is shown as a line of its own.',
    advice: 'The conversation that called it is probably in a file that was deleted.',
  },
  'dag/missing-agent-file': {
    title: "A subagent's file is missing",
    meaning: 'A result names a subagent whose file was deleted, or was not copied with the session.',
    advice: 'Copy the folder named after the session together with its file.',
  },
  'dag/broken-compaction': {
    title: 'A compaction names missing entries',
    meaning:
      'Its parent, or messages that it kept, do not exist. The nearest existing entry is used instead.',
    advice: 'Before you resume the session, look at what is live: Claude Code may load less.',
  },
  'dag/unfinished-compaction': {
    title: 'A compaction was not finished',
    meaning: 'It has no summary, so it replaced nothing: the messages before it stay live.',
    advice: 'Nothing is lost. Resume the session and compact again if you need to.',
  },
  'dag/lost-input': {
    title: 'Input that never arrived',
    meaning: 'A message was typed while Claude worked, and was never delivered.',
    advice: 'The diagnostic shows the text: send it again if it still matters.',
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
      'After a crash Claude Code continued from an older entry and dropped the turns since. They are shown as abandoned.',
    advice: 'If they matter, check them out (`dagline checkout`) and continue from there.',
  },
  'dag/foreign-session': {
    title: 'Rows of another session',
    meaning: 'A file holds rows with another session id: it is a copy, or the session was resumed.',
    advice: null,
  },
  'store/unreadable': {
    title: 'A file could not be read',
    meaning: 'Everything that it holds is missing here. All other files were read.',
    advice: 'Check the permissions of the file and of its folder.',
  },
  'store/vanished': {
    title: 'A file disappeared',
    meaning: 'It was listed, and gone when it was read; or a symbolic link leads nowhere.',
    advice: 'Nothing to do if you moved it. The session may be in another project folder now.',
  },
  'store/rewritten': {
    title: 'A file kept changing',
    meaning: 'It changed each time it was being archived. The archive does not have its current state.',
    advice: 'Run `dagline archive` again.',
  },
  'store/linked-twice': {
    title: 'A folder is linked twice',
    meaning: 'A symbolic link leads to a folder that is already read elsewhere. Nothing is missing.',
    advice: null,
  },
  'store/odd-sidecar': {
    title: 'A sidecar file is not readable',
    meaning:
      'A file beside a transcript does not hold a JSON object. What it says is found by weaker evidence, or not at all.',
    advice: null,
  },
}
