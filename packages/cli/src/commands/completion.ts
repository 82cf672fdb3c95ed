/** U6: `dagline completion`: a script that completes commands, options and sessions in a shell. */
import { UserError } from '@dagline/app'
import type { Command, Option } from 'commander'
import { type AddCommand, defineCommand } from '../command.js'

/** Makes the command; `createAll` gives the program with all commands. */
export function completionCommand(createAll: () => Promise<Command>): AddCommand {
  return defineCommand({
    usage: 'completion <shell>',
    description: 'Print a script that completes commands, options and sessions: for bash, zsh or fish.',
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

/** Commands whose first argument can be a session. */
function takesSession(command: Command): boolean {
  return command.registeredArguments.some(argument => /session|ref|^[ab]$/.test(argument.name()))
}

/** Prints the ids of the latest sessions, here or anywhere. */
const SESSIONS = `command dagline ls -n 50 --jsonl --quiet 2>/dev/null | sed -n 's/.*"session":"\\([^"]*\\)".*/\\1/p'`

function wordsOf(options: readonly Option[]): string {
  return options
    .flatMap(({ short, long }) => [short, long])
    .filter(name => name !== undefined)
    .join(' ')
}

function* bashScript(program: Command): Generator<string> {
  yield '_dagline() {'
  yield `  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} name= word words=`
  yield `  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do`
  yield '    case $word in -*) ;; *) name=$word; break ;; esac'
  yield '  done'
  yield '  case "$name $prev" in'
  for (const command of program.commands)
    for (const { short, long, argChoices } of command.options)
      for (const flag of argChoices === undefined ? [] : [short, long].filter(name => name !== undefined))
        yield `    "${command.name()} ${flag}") words="${(argChoices ?? []).join(' ')}" ;;`
  yield '    *) case $name in'
  yield `      '') words="${program.commands.map(command => command.name()).join(' ')} help ${wordsOf(program.options)}" ;;`
  for (const command of program.commands)
    yield `      ${command.name()}) words="${wordsOf(command.options)}"${takesSession(command) ? `; [[ $cur == -* ]] || words="latest $(${SESSIONS})"` : ''} ;;`
  yield '    esac ;;'
  yield '  esac'
  yield '  COMPREPLY=($(compgen -W "$words" -- "$cur"))'
  yield '}'
  yield 'complete -o default -F _dagline dagline'
}

/** Text within single quotes, in which zsh gives brackets and colons a meaning. */
function zshText(text: string): string {
  return text.replaceAll("'", "'\\''").replace(/[[\]:]/g, '\\$&')
}

function zshOption({ short, long, description, argChoices, required, optional }: Option): string {
  const names = [short, long].filter(name => name !== undefined)
  const value =
    required || optional ? `:value:${argChoices === undefined ? '_files' : `(${argChoices.join(' ')})`}` : ''
  const flags = names.length > 1 ? `'(${names.join(' ')})'{${names.join(',')}}` : `${names[0]}`
  return `${flags}'[${zshText(description)}]${value}'`
}

function* zshScript(program: Command): Generator<string> {
  yield '#compdef dagline'
  yield `_dagline_sessions() { local -a ids; ids=(latest \${(f)"$(${SESSIONS})"}); _describe session ids; _files }`
  yield '_dagline() {'
  yield '  local -a commands=('
  for (const command of program.commands) yield `    '${command.name()}:${zshText(command.description())}'`
  yield '  )'
  yield '  if (( CURRENT == 2 )); then _describe command commands; return; fi'
  yield '  local name=$words[2]'
  yield '  shift words; (( CURRENT-- ))'
  yield '  case $name in'
  for (const command of program.commands) {
    const rest = takesSession(command) ? "'*:session:_dagline_sessions'" : "'*:file:_files'"
    yield `    ${command.name()}) _arguments ${[...command.options.map(zshOption), rest].join(' ')} ;;`
  }
  yield '  esac'
  yield '}'
  yield 'compdef _dagline dagline'
}

function* fishScript(program: Command): Generator<string> {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
  yield `function __dagline_sessions; echo latest; ${SESSIONS}; end`
  for (const command of program.commands) {
    const name = command.name()
    yield `complete -c dagline -n __fish_use_subcommand -a ${name} -d ${quoted(command.description())}`
    if (takesSession(command))
      yield `complete -c dagline -n '__fish_seen_subcommand_from ${name}' -a '(__dagline_sessions)'`
    for (const { short, long, description, argChoices, required } of command.options) {
      const flags = `${short === undefined ? '' : ` -s ${short.slice(1)}`}${long === undefined ? '' : ` -l ${long.slice(2)}`}`
      const value =
        argChoices === undefined ? (required ? ' -r' : '') : ` -x -a ${quoted(argChoices.join(' '))}`
      yield `complete -c dagline -n '__fish_seen_subcommand_from ${name}'${flags}${value} -d ${quoted(description)}`
    }
  }
}
