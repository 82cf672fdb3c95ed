/** U10: topics of `dagline help TOPIC`: what several commands share, told once. */
import { SETTINGS } from '@dagline/app'
import { nearest } from './near.js'

interface Topic {
  /** One line for the list of topics. */
  readonly about: string
  readonly text: string
}

/** All topics, by name. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  refs: {
    about: 'how to name an entry, a branch or a subagent',
    text: `
A REF names one entry, or a branch or subagent by its id. Every id that dagline prints is a valid REF.

  cf76f1da                  an entry: its uuid, or a unique prefix of it
  latest:cf76               an entry of one session
  019c5be1@07e8e1e4-cc4     a branch of a session; @07e8e1e4 alone where it is unique
  019c5be1#agent-aecb6038   a subagent of a session; its id alone where it is unique
  decimal-attempt           a name given with "dagline name"

A prefix that is not unique is an error that lists the candidates. Quote a REF that contains #. Where a command
needs a SESSION, a REF stands for the session that it is in.`,
  },
  sessions: {
    about: 'how to name a session or a project',
    text: `
A SESSION is one of these:

  019c5be1         its id, or a unique prefix of it
  latest           the session with the newest entry
  session.jsonl    the path of its transcript
  tax-rewrite      a name given with "dagline name"

A project is named by its working directory, by the folder of its transcripts, by a part of either, or by "."
for the one here. Inside a project, "latest" and a missing argument mean this project, with all worktrees of
its repository; --everywhere means all projects, and so does --root.

"dagline ls" lists sessions, "dagline tree" shows which of them continue others.`,
  },
  branches: {
    about: 'rewinds, forks and abandoned branches',
    text: `
A rewind in Claude Code goes back to an earlier entry and continues from there. What followed that entry before
stays in the transcript as an abandoned branch; the conversation that goes on is the trunk.

  dagline branches SESSION          lists the branches, with what replaced each
  dagline log SESSION --graph       draws them beside the trunk
  dagline diff BRANCH               compares a branch with the live one
  dagline checkout BRANCH           writes a new session that ends with the branch, to resume it
  dagline pick BRANCH --onto REF    adds the entries of a branch to another conversation

"claude --resume ID --fork-session" writes a new transcript instead: "dagline tree" shows the session that it continues.
Not every entry with two children is a rewind; "dagline explain REF" says what it is, with the evidence.`,
  },
  live: {
    about: 'what the next request to the model carries',
    text: `
An entry is live if the next request carries it. Abandoned branches are not live, nor is what came before the
last compaction, except for what the compaction kept.

  dagline log SESSION --live          prints the live entries only
  dagline explain REF                 says whether an entry is live, and why
  dagline search WORD --live          finds text in live entries only
  dagline diff --compaction SESSION   shows what a compaction dropped and kept`,
  },
  dates: {
    about: 'dates and times that options take',
    text: `
--since and --until take:

  2026-11-13, 20261113     a day
  2026-11, 2026            a month, a year
  2026-11-13T09:20         a time
  30d, 2w, 6m, 1y          so many days, weeks, months or years ago
  today, yesterday         and "last week", "this month", "last month", "last year"

--until includes the whole day, month or year. Days begin at midnight in the time zone of this machine; TZ sets
another one. Times in JSON are in UTC.`,
  },
  files: {
    about: 'what dagline reads and writes',
    text: `
Read, and never written by commands that read:

  ~/.claude/projects               transcripts; CLAUDE_CONFIG_DIR or --root names another place

Written by dagline, in folders of its own (here those of Linux; docs/PLATFORMS.md names the others):

  ~/.cache/dagline/index-*.db      the index; it can be deleted, and is made again
  ~/.local/share/dagline/          archive.db (the archive), names.json (names, tags, notes), edits/ (backups
                                   for "dagline undo"), viewer.token, redaction.key
  ~/.config/dagline/config.json    settings; see "dagline help config"

repair, checkout, fork, pick, trim and split write new transcripts beside the old ones, and restore writes
missing ones. Only mv, repair --in-place and undo change existing files, after a backup.`,
  },
  privacy: {
    about: 'what stays on this machine, and what exports contain',
    text: `
Nothing leaves this machine unless you send it: only "dagline hub" and "dagline export --to s3://..." connect to
another host, to the one that you name, and there is no telemetry. The viewer listens on the loopback address only,
behind a token that only you can read.

Transcripts contain source code, paths and sometimes keys, and so does what dagline prints. "dagline export"
does not write likely secrets; --redact replaces them, and on request also paths, e-mail addresses and names. It
knows many kinds of secrets, not all: look before you share a file. "dagline mcp" replaces secrets in its answers.

Control characters in transcripts never reach the terminal.`,
  },
  json: {
    about: 'output for programs',
    text: `
With --json a command prints one object on stdout. Its field "dagline" is the version of the format: 1. Fields
may be added; their meaning never changes. tail, serve and archive --watch print one object on each line, and so
do lists with --jsonl. Times are ISO 8601 in UTC, costs are in US dollars.

Notes and errors go to stderr; --quiet leaves only errors. Exit codes: 0 success, 1 the request failed or a file
could not be read, 2 internal error.

  dagline ls --json | jq -r '.sessions[].session'

docs/JSON.md lists all fields. The package has the same as a JSON Schema: dagline/schema.json.`,
  },
  environment: {
    about: 'variables that change what commands do',
    text: `
  CLAUDE_CONFIG_DIR                 folder of Claude Code, instead of ~/.claude
  XDG_CACHE_HOME, XDG_DATA_HOME,
  XDG_CONFIG_HOME                   folders for the index, for the archive and names, and for settings
  NO_COLOR, FORCE_COLOR             no colors, or always colors
  COLUMNS                           width of the output
  PAGER                             pager of lists and texts on a terminal; an empty value disables paging
  VISUAL, EDITOR                    editor of "dagline note"
  TZ                                time zone of times and days
  DAGLINE_DUCKDB                    folder that has @duckdb/node-api, for "dagline sql"

Each setting of "dagline config" has a variable, which counts before the file and after an option:

${SETTINGS.map(({ key, variable }) => `  ${variable.padEnd(34)}${key}`).join('\n')}`,
  },
}

/** The topics with a line for each, for the help of dagline. */
export function topicList(): string {
  const rows = Object.entries(TOPICS).map(([name, { about }]) => `  ${name.padEnd(13)}${about}`)
  return `\nTopics, printed by \`dagline help TOPIC\`:\n${rows.join('\n')}\n`
}

/** The text of a topic; null where there is none of this name. */
export function topicText(name: string): string | null {
  const topic = Object.hasOwn(TOPICS, name) ? TOPICS[name] : undefined
  return topic === undefined ? null : `${topic.text.slice(1)}\n`
}

/** The error for `dagline help WORD` where the word is neither a command nor a topic. */
export function noTopic(word: string, commands: readonly string[]): string {
  const near = nearest(word, [...commands, ...Object.keys(TOPICS)])
  const guess = near === null ? '' : ` Did you mean \`dagline help ${near}\`?`
  return `There is no command or topic ${word}. Run \`dagline help\` to list them.${guess}`
}
