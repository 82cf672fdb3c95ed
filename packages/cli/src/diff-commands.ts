/** The commands `diff` and `mv`. */
import type { Command } from 'commander'
import { type Action, command, finish } from './command.js'

/** Adds `diff` to a program. */
export function diff(program: Command): void {
  const made = command(
    program,
    'diff <a> [b]',
    'Compare two branches or sessions from where they part; one alone with what is live.',
  )
    .option('--compaction', 'what a compaction dropped: the one that <a> is, or the next one after it')
    .option('--full', 'every word of prompts and answers')
  const act: Action = async (console, words, options) => {
    await (await import('./commands/diff.js')).diff(console, words, {
      compaction: options['compaction'] === true,
      full: options['full'] === true,
    })
  }
  finish(made, act, [
    'dagline diff a2a9607f@7e083490-abc',
    'dagline diff decimal-attempt tax-rewrite',
    'dagline diff 4539d2d0 a2a9607f --json | jq .sides[].cost',
    'dagline diff --compaction latest',
  ])
}

/** Adds `mv` to a program. */
export function mv(program: Command): void {
  const made = command(
    program,
    'mv <old> <new>',
    'A project was moved or renamed: move its sessions along, so that Claude Code finds them again.',
  )
    .option('--deep', 'paths inside of what was said, too: calls, results, files in summaries')
    .option('--config', 'the entry in .claude.json, too (trust, allowed tools); end Claude Code first')
    .option('-n, --dry-run', 'only show what would change')
    .option('-y, --yes', 'do not ask')
  const act: Action = async (console, words, options) => {
    await (await import('./commands/mv.js')).mv(console, words, {
      deep: options['deep'] === true,
      config: options['config'] === true,
      yes: options['yes'] === true,
      dryRun: options['dryRun'] === true,
    })
  }
  finish(
    made,
    act,
    [
      'dagline mv ~/code/shop ~/projects/shop --dry-run',
      'dagline mv ~/code/shop ~/projects/shop',
      'dagline mv /home/ann /home/anna --yes --config',
    ],
    MV_WORDS,
  )
}

const MV_WORDS = `
The folder in projects/ is renamed, also those of all folders below. In rows the fields that hold
paths are changed: working directories, worktrees, files that a rewind restores, and the history of
prompts. /a/b never means /a/bc. What was said stays as it was sent, unless --deep is given. If it is
cut off, the same command goes on; \`dagline undo\` gives every byte back.
`
