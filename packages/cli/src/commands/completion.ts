/** U6: `dagline completion`: a script that completes commands, options, sessions, branches and names in a shell. */
import { SETTINGS, UserError } from '@dagline/app'
import { FAULT_KINDS } from '@dagline/core/faults'
import type { Command, Option } from 'commander'
import { type AddCommand, defineCommand } from '../command.js'
import { TOPICS } from '../topics.js'
import { ACTIONS } from './config.js'
import { HUB_ACTIONS } from './hub.js'

/** Makes the command; `createAll` gives the program with all commands. */
export function completionCommand(createAll: () => Promise<Command>): AddCommand {
  return defineCommand({
    usage: 'completion <shell>',
    description:
      'Print a script for bash, zsh or fish that completes commands, options, sessions, branches and names.',
    examples: [
      'source <(dagline completion bash)',
      `dagline completion zsh > "\${fpath[1]}/_dagline"`,
      'dagline completion fish > ~/.config/fish/completions/dagline.fish',
    ],
    isText: true,
    run: async (console, [shell = '']) => {
      const make = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
      if (make === undefined)
        throw new UserError(`There is no completion for ${shell || '""'}. Give bash, zsh or fish.`)
      await console.print(make(await createAll()))
    },
  })
}

type Script = (program: Command) => Iterable<string>

const SHELLS: Readonly<Record<string, Script>> = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** What an argument of a command can be: a shell function of the scripts lists the candidates. */
function argumentOf(command: Command): 'sessions' | 'refs' | null {
  const names = command.registeredArguments.map(argument => argument.name())
  if (names.some(name => /ref|^[ab]$/.test(name))) return 'refs'
  return names.some(name => /session/.test(name)) ? 'sessions' : null
}

/** The values of an option; kinds of problems are too many for its help. */
function choicesOf({ long, argChoices }: Option): readonly string[] | undefined {
  return long === '--only' || long === '--explain' ? FAULT_KINDS.map(({ id }) => id) : argChoices
}

/** Words that follow a command and are known without asking it. */
function fixedWords(program: Command): Readonly<Record<string, readonly string[]>> {
  const names = program.commands.map(command => command.name())
  return {
    help: [...new Set([...names, ...Object.keys(TOPICS)])],
    config: [...Object.keys(ACTIONS), ...SETTINGS.map(({ key }) => (key === 'prices' ? 'prices.' : key))],
    completion: Object.keys(SHELLS),
    hub: Object.keys(HUB_ACTIONS),
    archive: ['verify', 'stats', 'forget', 'hold'],
  }
}

/** The value of a field on each line of JSON; those with blanks would be several words. */
function fieldOf(words: string, field: string): string {
  return `command dagline ${words} --quiet 2>/dev/null | sed -n 's/.*"${field}":"\\([^" ]*\\)".*/\\1/p'`
}

/** Print names and the ids of the latest sessions, and of the latest branches, here or anywhere. */
const NAMES = fieldOf('name --json', 'name')
const SESSIONS = `echo latest; ${NAMES}; ${fieldOf('ls -n 50 --jsonl', 'session')}`
const REFS = `${SESSIONS}; ${fieldOf('branches -n 50 --jsonl', 'ref')}`
const LISTS = { sessions: SESSIONS, refs: REFS } as const

function wordsOf(options: readonly Option[]): string {
  return options
    .flatMap(({ short, long }) => [short, long])
    .filter(name => name !== undefined)
    .join(' ')
}

function* bashScript(program: Command): Generator<string> {
  for (const [kind, list] of Object.entries(LISTS)) yield `_dagline_${kind}() { ${list}; }`
  yield '_dagline() {'
  yield `  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} name= word words=`
  yield `  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do`
  yield '    case $word in -*) ;; *) name=$word; break ;; esac'
  yield '  done'
  yield '  case "$name $prev" in'
  for (const command of program.commands)
    for (const option of command.options)
      for (const flag of [option.short, option.long].filter(name => name !== undefined)) {
        const words = choicesOf(option)
        if (words !== undefined) yield `    "${command.name()} ${flag}") words="${words.join(' ')}" ;;`
      }
  yield '    *" --session") words=$(_dagline_sessions) ;;'
  yield '    *" --onto"|*" --at"|*" --around") words=$(_dagline_refs) ;;'
  yield '    *) case $name in'
  yield `      '') words="${program.commands.map(command => command.name()).join(' ')} help ${wordsOf(program.options)}" ;;`
  const fixed = fixedWords(program)
  yield `      help) words="${(fixed['help'] ?? []).join(' ')}" ;;`
  for (const command of program.commands)
    yield `      ${command.name()}) words="${wordsOf(command.options)}"${bashArguments(command, fixed)} ;;`
  yield '    esac ;;'
  yield '  esac'
  // Bash breaks words at @ and #, which ids of branches and subagents contain: what stands before is compared, too.
  yield `  local whole=\${COMP_LINE:0:COMP_POINT}; whole=\${whole##* }`
  yield '  [[ $whole == *"$cur" ]] || whole=$cur'
  yield `  local before=\${whole%"$cur"}`
  yield '  COMPREPLY=($(compgen -W "$words" -- "$whole"))'
  yield `  COMPREPLY=("\${COMPREPLY[@]#"$before"}")`
  yield '}'
  yield 'complete -o default -F _dagline dagline'
}

function bashArguments(command: Command, fixed: Readonly<Record<string, readonly string[]>>): string {
  const words = fixed[command.name()]?.join(' ')
  const kind = argumentOf(command)
  if (words === undefined && kind === null) return ''
  return `; [[ $cur == -* ]] || words="${words ?? `$(_dagline_${kind})`}"`
}

/** Text within single quotes, in which zsh gives brackets and colons a meaning. */
function zshText(text: string): string {
  return text.replaceAll("'", "'\\''").replace(/[[\]:]/g, '\\$&')
}

function zshOption(given: Option): string {
  const { short, long, description, required, optional } = given
  const choices = choicesOf(given)
  const names = [short, long].filter(name => name !== undefined)
  const value =
    required || optional ? `:value:${choices === undefined ? '_files' : `(${choices.join(' ')})`}` : ''
  const flags = names.length > 1 ? `'(${names.join(' ')})'{${names.join(',')}}` : `${names[0]}`
  return `${flags}'[${zshText(description)}]${value}'`
}

function* zshScript(program: Command): Generator<string> {
  yield '#compdef dagline'
  for (const [kind, list] of Object.entries(LISTS))
    yield `_dagline_${kind}() { local -a ids; ids=(\${(f)"$(${list})"}); _describe ${kind} ids; _files }`
  yield '_dagline() {'
  yield '  local -a commands=('
  for (const command of program.commands) yield `    '${command.name()}:${zshText(command.description())}'`
  yield "    'help:Print the help of a command, or a topic.'"
  yield '  )'
  yield '  if (( CURRENT == 2 )); then _describe command commands; return; fi'
  yield '  local name=$words[2]'
  yield '  shift words; (( CURRENT-- ))'
  yield '  case $name in'
  const fixed = fixedWords(program)
  yield `    help) _arguments '*:topic:(${(fixed['help'] ?? []).join(' ')})' ;;`
  for (const command of program.commands) {
    const words = fixed[command.name()]?.join(' ')
    const rest = `'*:argument:${words === undefined ? `_${argumentOf(command) === null ? 'files' : `dagline_${argumentOf(command)}`}` : `(${words})`}'`
    yield `    ${command.name()}) _arguments ${[...command.options.map(zshOption), rest].join(' ')} ;;`
  }
  yield '  esac'
  yield '}'
  yield 'compdef _dagline dagline'
}

function* fishScript(program: Command): Generator<string> {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
  for (const [kind, list] of Object.entries(LISTS)) yield `function __dagline_${kind}; ${list}; end`
  yield "complete -c dagline -n __fish_use_subcommand -a help -d 'Print the help of a command, or a topic.'"
  for (const [name, words] of Object.entries(fixedWords(program)))
    yield `complete -c dagline -f -n '__fish_seen_subcommand_from ${name}' -a ${quoted(words.join(' '))}`
  for (const command of program.commands) {
    const name = command.name()
    yield `complete -c dagline -n __fish_use_subcommand -a ${name} -d ${quoted(command.description())}`
    const kind = argumentOf(command)
    if (kind !== null)
      yield `complete -c dagline -n '__fish_seen_subcommand_from ${name}' -a '(__dagline_${kind})'`
    for (const option of command.options) {
      const { short, long, description, required } = option
      const choices = choicesOf(option)
      const flags = `${short === undefined ? '' : ` -s ${short.slice(1)}`}${long === undefined ? '' : ` -l ${long.slice(2)}`}`
      const value = choices === undefined ? (required ? ' -r' : '') : ` -x -a ${quoted(choices.join(' '))}`
      yield `complete -c dagline -n '__fish_seen_subcommand_from ${name}'${flags}${value} -d ${quoted(description)}`
    }
  }
}
