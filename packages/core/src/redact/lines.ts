/** Secrets that are known by their line: files of logins, and commands with a password among their words. */
import { namesIn } from '../model/group.js'
import type { Found, Match, SecretRule } from './anchors.js'
import { isIn, runEnd, SETS } from './chars.js'
import { isChosen, isOwn, isPassword, isUuid, looksRandom } from './likely.js'

/** How a command takes a password. */
interface CommandRule {
  /** Names of commands, with blanks between them; `_` stands for a blank. */
  readonly names: string
  /** Options with the password behind them, in the same word or in the next one. */
  readonly options?: string
  /** The password has no blank before it: `-pSECRET`. */
  readonly isAttached?: boolean
  /** What stands between user and password in the word: `-u user:SECRET`. */
  readonly separator?: string
  /** Only a value that looks random is a secret. */
  readonly isRandom?: boolean
  /** Short options may be written together: `-sSu`. */
  readonly isJoined?: boolean
  /** The password is the third word that is not an option, where this word or option is there. */
  readonly third?: string
}

const COMMANDS: readonly CommandRule[] = [
  {
    names: 'mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump 7z 7za 7zz rar',
    options: '-p',
    isAttached: true,
  },
  { names: 'curl', options: '-u --user -U --proxy-user', separator: ':', isJoined: true },
  { names: 'curl', options: '-b', separator: '=', isRandom: true },
  { names: 'http https xh xhs', options: '-a --auth', separator: ':' },
  { names: 'http https xh xhs', options: '-a --auth', isRandom: true },
  { names: 'skopeo buildah', options: '--creds --src-creds --dest-creds', separator: ':' },
  { names: 'netlify', options: '--auth', isRandom: true },
  { names: 'doctl', options: '-t --access-token', isRandom: true },
  { names: 'wandb', options: 'login --relogin', isRandom: true },
  { names: 'rclone', options: 'obscure' },
  { names: 'ipa-client-install', options: '-w' },
  { names: 'smbclient rpcclient', options: '-U', separator: '%' },
  { names: 'lftp ncftp', options: '-u', separator: ',' },
  {
    names:
      'sshpass mongo mongosh mongodump mongorestore cqlsh twine rdesktop psexec ncftpput ncftpget steghide yt-dlp _login',
    options: '-p',
  },
  { names: 'cypher-shell evil-winrm nxc crackmapexec certutil unlock-keychain', options: '-p' },
  { names: 'create-keychain set-keychain-password', options: '-p -P' },
  { names: 'add-generic-password add-internet-password', options: '-w' },
  { names: 'plink pscp psftp', options: '-pw' },
  { names: 'signtool', options: '/p' },
  { names: 'schtasks', options: '/rp' },
  { names: 'dscl', third: '-passwd' },
  { names: 'codecov', options: '-t --token', isRandom: true },
  { names: 'ngrok', options: 'authtoken add-authtoken --authtoken', isRandom: true },
  { names: 'cloudflared', options: 'install --token', isRandom: true },
  { names: 'neo4j-admin', options: 'set-initial-password' },
  { names: 'bitcoin-cli', options: 'importprivkey walletpassphrase' },
  { names: 'ssh-keygen', options: '-N' },
  { names: 'redis-cli valkey-cli keydb-cli', options: '-a --pass' },
  { names: 'openssl', options: '-k -K pass:' },
  { names: 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd', options: '-w' },
  { names: 'sqlcmd bcp zip unzip mosquitto_pub mosquitto_sub ipmitool', options: '-P' },
  { names: 'xfreerdp wfreerdp', options: '/p:' },
  { names: 'rar 7z', options: '-hp', isAttached: true },
  { names: 'winrs', options: '-p:' },
  { names: 'knife', options: '-P' },
  { names: 'snmpwalk snmpget snmpset', options: '-A -X' },
  { names: 'nmcli', options: 'password' },
  { names: 'pdftk', options: 'user_pw owner_pw input_pw' },
  { names: 'create-secret put-secret-value update-secret', options: '--secret-string' },
  { names: 'ConvertTo-SecureString', options: '-String ConvertTo-SecureString' },
  { names: 'htpasswd', third: '-b' },
  { names: 'rabbitmqctl', third: 'add_user' },
  { names: 'rabbitmqctl', third: 'change_password' },
]

const commandNames = ({ names }: CommandRule): readonly string[] =>
  namesIn(names).map(name => name.replace(/^_/, ' '))

/** Passwords among the words of commands. */
export const COMMAND_LINES: readonly SecretRule[] = COMMANDS.map(rule => ({
  kinds: ['password'],
  words: commandNames(rule).map(name => `${name} `),
  matchAt: (text, at) =>
    isIn(text, at - 1, SETS.url) && text[at] !== ' ' ? null : inCommand(text, at, rule),
}))

/** A word of a command line, without its quotes. */
interface Word {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The most characters and words of a command that are examined. */
const COMMAND_MOST = 600
const WORDS_MOST = 40
const WORD =
  /[ \t]{0,40}(?:\\\r?\n[ \t]{0,40})?("[^"\n]{0,200}"|'[^'\n]{0,200}'|(?:[^\s|;"'`)\\]|\\(?![nrt"'`\\])){1,300}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}')?)/y

function wordsOf(text: string, at: number): readonly Word[] {
  const near = text.slice(at, at + COMMAND_MOST)
  const words: Word[] = []
  WORD.lastIndex = 0
  for (let match = WORD.exec(near); match !== null && words.length < WORDS_MOST; match = WORD.exec(near)) {
    const [, word = ''] = match
    const isQuoted = /^["']/.test(word)
    const end = at + WORD.lastIndex - (isQuoted ? 1 : 0)
    const plain = isQuoted ? word.slice(1, -1) : word
    if (!isQuoted && /^&+$/.test(word)) break
    words.push({ start: end - plain.length, end, text: plain })
  }
  return words
}

function inCommand(text: string, at: number, rule: CommandRule): Match {
  const words = wordsOf(text, at)
  const found = rule.third === undefined ? optionValues(words, rule) : thirdValue(words, rule.third)
  const passwords = found
    .map(word => passwordIn(word, rule))
    .filter(
      ({ text: each }) => isGiven(each) && (rule.isRandom !== true || looksRandom(each) || isUuid(each)),
    )
  if (passwords.length === 0) return null
  return {
    found: passwords.map(({ start, end }): Found => ({ kind: 'password', start, end: wholeEnd(text, end) })),
    until: passwords.at(-1)?.end ?? at,
  }
}

function optionValues(
  words: readonly Word[],
  { options = '', isAttached = false, isJoined = false }: CommandRule,
): readonly Word[] {
  const names = namesIn(options)
  return words.flatMap((word, index) => {
    const name = names.find(each => word.text.startsWith(each))
    const next = words[index + 1]
    if (name === undefined) {
      const isLast = isJoined && names.some(each => isJoinedAs(word.text, each))
      return isLast && next !== undefined && !next.text.startsWith('-') ? [next] : []
    }
    if (word.text === name) return isAttached || next === undefined || next.text.startsWith('-') ? [] : [next]
    const isLong = name.length > 2 && !isAttached && !/[:=]$/.test(name)
    if (isLong && word.text[name.length] !== '=') return []
    return [partOf(word, isLong ? name.length + 1 : name.length)]
  })
}

/** The end of a token that is longer than the words that are read. */
function wholeEnd(text: string, end: number): number {
  return isIn(text, end - 1, SETS.token) ? runEnd(text, end, SETS.token, text.length) : end
}

/** Whether a short option is the last of several in one word. */
function isJoinedAs(word: string, option: string): boolean {
  return option.length === 2 && /^-[a-zA-Z]{2,8}$/.test(word) && word.endsWith(option.slice(1))
}

function thirdValue(words: readonly Word[], mark: string): readonly Word[] {
  const isMark = ({ text }: Word): boolean =>
    text === mark || (/^-[a-zA-Z]+$/.test(text) && mark.startsWith('-') && text.includes(mark.slice(1)))
  if (!words.some(isMark)) return []
  return words.filter(({ text }) => !text.startsWith('-')).slice(3, 4)
}

function partOf({ start, end, text }: Word, from: number): Word {
  return { start: start + from, end, text: text.slice(from) }
}

function passwordIn(word: Word, { separator }: CommandRule): Word {
  const plain = /^(["'])(.*)\1$/.exec(word.text)
  const inner = plain === null ? word : { ...partOf(word, 1), end: word.end - 1, text: plain[2] ?? '' }
  if (separator === undefined) return inner
  const at = inner.text.indexOf(separator)
  return partOf(inner, at < 0 ? inner.text.length : at + 1)
}

/** Whether a word stands for itself: not a variable, number, path, placeholder or stock word. */
function isGiven(text: string): boolean {
  if (
    text.length < 5 ||
    /^[$<{[(-]|^%\w+%$|\$[{(]|\{\{|^\d{1,6}$|^\.{0,2}\/|^https?:|…|\.{3}|\*{3}|redacted:/.test(text)
  )
    return false
  // A variable in the middle of a password is seldom; a dollar sign is not.
  const plain = text.replace(/\$\w+/g, '')
  if (plain !== text && !(plain.length >= 5 && isChosen(plain))) return false
  return !/^[A-Z][A-Z_]+$/.test(text) && isOwn(text, 3) && !/x{5}/i.test(text)
}

/** A file of logins: what its entries begin with, and an entry with the password at its end. */
interface EntryRule {
  /** What the value is, where it is not a password. */
  readonly kind?: string
  readonly words: readonly string[]
  readonly pattern: RegExp
  /** The entry begins with its line, not with the word. */
  readonly isLine?: boolean
  /** What the text before the word must end with. */
  readonly behind?: RegExp
  /** The words around it say little: only what is unlikely to be a word or a name is a password. */
  readonly isStrong?: boolean
}

const ENTRIES: readonly EntryRule[] = [
  {
    words: ['login '],
    pattern: /^login[ \t]{1,8}\S{1,80}[\s\d→+|-]{1,40}password[ \t]{1,8}([^\s\\"'`]{4,200})/,
  },
  {
    words: [':5432:', ':5433:', ':6432:', ':6543:', ':3306:', ':*:'],
    pattern: /^[^\s:"'`]{1,200}:(?:\d{2,5}|\*):[^\s:]{1,80}:[^\s:]{1,80}:([^\s:"'`\\]{4,200})(?=[\s"'`\\]|$)/,
    isLine: true,
  },
  {
    words: ['identified by '],
    pattern: /^identified by[ \t]{1,8}(?:password[ \t]{1,8})?['"]([^'"\n]{5,200})(?=['"])/i,
  },
  {
    words: ['identified with '],
    pattern: /^identified with[ \t]{1,8}\S{1,40}[ \t]{1,8}(?:by|as)[ \t]{1,8}['"]([^'"\n]{5,200})(?=['"])/i,
  },
  {
    words: ['net user ', 'net use '],
    pattern:
      /^net[ \t]{1,4}use(?:r[ \t]{1,4}[\w.-]{1,60}|[ \t][^\n/]{1,120}\/user:\S{1,60})[ \t]{1,4}([^\s/]{5,100})/i,
  },
  {
    words: ['echo ', 'printf '],
    pattern:
      /^(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4}|["']?%s(?:\\n)?["']?[ \t]{1,4})?["']?(?:[\w.-]{1,40}:(?=[^\n]{1,160}chpasswd))?([^\s"'|:]{5,200})["']?[ \t]{0,4}(?:(?:;[ \t]{0,4}echo[ \t][^|\n]{1,220})?\)[ \t]{0,4})?\|[ \t]{0,4}(?:sudo[ \t]{1,4})?(?:chpasswd|smbpasswd|vncpasswd|pass[ \t]insert|secret-tool|-S|keepassxc-cli|cryptsetup|kinit|[^|\n]{0,80}(?:-S\b|--password-stdin|--passwd-on-stdin|--with-token|--stdin\b|--passphrase-fd|(?:secrets?|env)[ \t]{1,4}(?:put|set|add|create)\b))/,
  },
  {
    words: ['<<<'],
    behind:
      /(?:chpasswd|passwd|cryptsetup|kinit|-S|-stdin|--with-token|(?:secrets?|env)[ \t]{1,4}(?:put|set|add|create))[^|;\n]{0,60}$/,
    pattern: /^<<<[ \t]{0,4}["']?(?:[\w.-]{1,40}:)?([^\s"':]{5,200})/,
  },
  {
    words: ['send "', "send '", 'send -- "'],
    behind: /(?:p?ass(?:word|phrase|wort)?|PIN)\W{0,8}\n?[^\n]{0,12}$/i,
    pattern: /^send[ \t]{1,4}(?:--[ \t]{1,4})?["']([^\s"'\\]{5,120})\\?/,
  },
  {
    words: ['sqlplus ', 'jdbc:oracle:', 'expdp ', 'impdp '],
    pattern:
      /^(?:(?:sqlplus|expdp|impdp)[ \t]{1,4}(?:-\S{1,10}[ \t]{1,4}){0,4}|jdbc:oracle:\w{1,8}:)["']?[\w.$#-]{1,60}\/["']?([^\s@"'/\\]{6,120})["']?@/,
  },
  {
    words: ['getConnection(', 'mysqli(', 'PDO(', 'connect('],
    isStrong: true,
    pattern:
      /^\w{3,13}\([ \t]{0,4}["'][^"'\n]{1,200}["'],\s{0,20}["'][^"'\n]{0,60}["'],\s{0,20}["']([^"'\n\\]{6,120})["']/,
  },
  {
    words: ['login(', 'NetworkCredential(', '.auth('],
    isStrong: true,
    pattern: /^\.?\w{4,17}\([ \t]{0,4}["'][^"'\n]{1,80}["'],[ \t]{0,4}["']([^"'\n\\]{6,120})["']/,
  },
  {
    words: ['jwt.sign(', 'jwt.verify(', 'jwt.encode(', 'jwt.decode('],
    isStrong: true,
    pattern: /^jwt\.\w{4,6}\([^,\n]{1,80},[ \t]{0,4}["']([^"'\n\\]{8,200})["']/,
  },
  {
    words: ['Client("AC', "Client('AC"],
    pattern: /^Client\(["']AC[0-9a-f]{32}["'],[ \t]{0,4}["']([0-9a-f]{32})["']/,
  },
  {
    words: ['@tcp(', '@unix('],
    isLine: true,
    pattern: /^[\w.-]{1,60}:([^\s@"'`]{5,120})@(?:tcp|unix)\(/,
  },
  {
    words: ['"value":'],
    pattern:
      /^"value":\s{0,4}"([^"\\\n]{6,200})",\s{0,20}"(?:name|key)":\s{0,4}"\w{0,60}(?:PASS|SECRET|TOKEN|API_KEY|PWD)/i,
  },
  {
    words: ['requirepass ', 'masterauth ', 'bindpw '],
    pattern: /^(?:requirepass|masterauth|bindpw)[ \t]{1,8}["']?([^\s"'\\]{5,200})/,
  },
  {
    words: ['pass '],
    behind: /(?:^|\W)USER[ \t]\S{1,80}\r?\n(?:\s*\d+→|\+)?$/,
    pattern: /^PASS[ \t]([^\s"'\\]{5,120})/,
  },
  { words: ['auth '], isStrong: true, pattern: /^AUTH[ \t]{1,4}(?:\w{1,40}[ \t])?["']?([^\s"'\\]{8,120})/ },
  {
    words: [' login '],
    isStrong: true,
    pattern: /^ LOGIN[ \t]{1,4}["']?[^\s"']{1,80}["']?[ \t]{1,4}["']?([^\s"'\\]{6,120})/,
  },
  { words: ['identified by '], isStrong: true, pattern: /^identified by[ \t]{1,8}([^\s'";,\\]{6,120})/i },
  {
    words: ['net use '],
    isStrong: true,
    pattern: /^net use[ \t]{1,4}(?:\w:[ \t]{1,4})?\S{3,120}[ \t]{1,4}([^\s/]{6,100})[ \t]{1,4}\/user:/i,
  },
  {
    words: ['http-basic.'],
    pattern: /^http-basic\.\S{1,80}[ \t]{1,4}\S{1,80}[ \t]{1,4}["']?([^\s"'\\]{5,120})/,
  },
  {
    words: ['bundle config '],
    pattern:
      /^bundle config[ \t](?:set[ \t](?:--\w{1,20}[ \t])?)?\S{1,80}[ \t]{1,4}[\w.-]{1,60}:([^\s"'\\]{5,120})/,
  },
  {
    words: ['<auth-user-pass>'],
    pattern: /^<auth-user-pass>\s{1,4}\S{1,80}\s{1,4}([^\s<\\]{5,120})\s/,
  },
  {
    words: ['rclone config '],
    pattern: /^rclone config[^\n]{1,200}?[ \t]pass(?:word)?[ \t=]([^\s"'\\]{5,120})/,
  },
  { words: ['mega-login '], pattern: /^mega-login[ \t]\S{1,80}@\S{1,80}[ \t]{1,4}["']?([^\s"'\\]{5,120})/ },
  {
    words: ['put-parameter ', 'keyvault secret set '],
    pattern:
      /^(?:put-parameter(?=[^\n]{0,400}(?:SecureString|pass|secret|token|key))|keyvault secret set)[^\n]{0,300}?[ \t]--value[ \t=]["']?([^\s"'\\]{5,200})/i,
  },
  { words: ['bw unlock '], pattern: /^bw unlock[ \t]{1,4}["']?([^\s"'-][^\s"']{5,120})/ },
  {
    words: ['htpasswd -'],
    pattern:
      /^htpasswd[ \t]{1,4}-(?=\w{0,6}n)(?=\w{0,6}b)\w{2,8}[ \t]{1,4}["']?\S{1,60}[ \t]{1,4}["']?([^\s"']{5,120})/,
  },
  {
    kind: 'cookie',
    words: ['\ttrue\t', '\tfalse\t'],
    pattern: /^\t(?:TRUE|FALSE)\t\/\S{0,60}\t(?:TRUE|FALSE)\t\d{1,20}\t[\w.-]{1,80}\t([\w.%+/=-]{16,4000})/,
  },
  {
    kind: 'vault-token',
    words: ['unseal key ', 'recovery key '],
    pattern: /^(?:unseal|recovery) key \d{1,2}: ([A-Za-z0-9+/]{40,90}=?)/i,
  },
  {
    kind: 'wallet-key',
    words: ['wallet(', 'privatekeytoaccount(', 'privatekeytoaddress(', 'importprivkey '],
    pattern: /^\w{6,20}[ (]["'`]?((?:0x)?[0-9a-f]{64}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51})\b/i,
  },
  {
    kind: 'secret',
    words: ['otpauth://'],
    pattern: /^otpauth:\/\/[^\s"'`]{1,200}[?&]secret=([A-Z2-7]{16,128})/i,
  },
  {
    words: ['wg genkey', 'wg genpsk', 'openssl rand ', 'pwgen '],
    isStrong: true,
    pattern: /^[^\n]{4,80}\n([A-Za-z0-9+/=_-]{12,200})(?=\r?\n|$)/,
  },
  {
    words: ['new value: '],
    behind: /password[^\n]{0,120}\n$/i,
    pattern: /^new value: (\S{8,120})/i,
  },
  {
    words: ['secret ', 'password '],
    behind: /(?:username \S{1,60}|enable)[^\n]{0,40}$/,
    pattern: /^(?:secret|password)[ \t]\d[ \t]([^\s"'`\\,;)<]{5,120})/,
  },
  {
    kind: 'token',
    words: ['--token '],
    pattern: /^--token[ \t]{1,4}([a-z0-9]{6}\.[a-z0-9]{16})(?![\w.])/,
  },
  {
    words: ['auth=(', 'auth = (', 'basic_auth('],
    pattern: /^\w{4,10} ?=? ?\([ \t]{0,4}["'][^"'\n]{1,80}["'],[ \t]{0,4}["']([^"'\n\\]{5,120})["']/,
  },
  {
    words: ['btoa(', 'buffer.from(', 'b64encode('],
    pattern: /^[\w.]{4,20}\([ \t]{0,4}b?["'`][\w.@+-]{1,60}:([^"'`\n\\:/ ]{5,120})["'`]/i,
  },
  {
    words: ['create_user(', 'create_superuser(', 'createuser(', 'adduser('],
    isStrong: true,
    pattern: /^\w{7,16}\([ \t]{0,4}(?:["'][^"'\n]{0,80}["'],\s{0,8}){1,2}["']([^"'\n\\]{6,120})["']/i,
  },
  {
    words: ['login='],
    isStrong: true,
    pattern: /^login=["']?[\w.@+-]{1,60}:([^\s"'\\]{5,120})/,
  },
  {
    kind: 'api-key',
    words: ['algoliasearch('],
    pattern: /^\w{13}\([^,\n]{1,40},[ \t]{0,4}["']([0-9a-f]{32})["']/i,
  },
  {
    kind: 'api-key',
    words: ['client("', "client('", 'client(api_key="'],
    isStrong: true,
    pattern: /^client\((?:api_key=)?["']([A-Za-z0-9_-]{32,200})["']/i,
  },
  {
    words: ['wpa_passphrase ', '-setairportnetwork ', 'mkpasswd ', 'openssl passwd '],
    isStrong: true,
    pattern:
      /^(?:wpa_passphrase[ \t]\S{1,60}|-setairportnetwork[ \t]\S{1,20}[ \t]\S{1,60}|(?:mkpasswd|openssl passwd)(?:[ \t]-\S{1,20}(?:[ \t]sha-?\d{3})?){0,4})[ \t]{1,4}["']?([^\s"'\\-][^\s"'\\]{6,120})/,
  },
  {
    words: ['wifi.begin('],
    pattern: /^WiFi\.begin\([ \t]{0,4}"[^"\n]{1,60}",[ \t]{0,4}"([^"\n\\]{8,63})"/i,
  },
  {
    words: ['az sql ', 'az mysql ', 'az postgres '],
    isStrong: true,
    pattern: /^az \w{3,8}[^\n]{0,300}?[ \t]-p[ \t]{1,4}["']?([^\s"'\\-][^\s"'\\]{6,120})/,
  },
  {
    words: ['pulumi config set ', 'travis env set ', 'user-secrets set '],
    isStrong: true,
    pattern:
      /^[\w-]{5,12}(?:[ \t]\w{3,6})?[ \t]set(?:[ \t]--\w{1,20}){0,3}[ \t]{1,4}["']?[\w.:-]{1,80}["']?[ \t]{1,4}["']?([^\s"'\\-][^\s"'\\]{6,200})/,
  },
  {
    words: ['--from-literal=', '--from-literal '],
    isStrong: true,
    pattern: /^--from-literal[= ]["']?[\w.-]{1,80}=["']?([^\s"'\\]{8,300})/,
  },
  {
    words: ['vault kv put ', 'vault kv patch ', 'vault write '],
    isStrong: true,
    pattern:
      /^vault (?:kv (?:put|patch)|write)[ \t][^\n]{0,200}?[ \t][\w.-]{1,60}=["']?([^\s"'\\@][^\s"'\\]{7,300})/,
  },
  {
    kind: 'secret',
    words: ['mc alias set ', 'mc config host add '],
    pattern: /^mc (?:alias set|config host add)(?:[ \t]\S{1,200}){3}[ \t]{1,4}["']?([A-Za-z0-9+/_-]{8,128})/,
  },
  {
    kind: 'token',
    words: ['heroku auth:token', 'x-consul-token', 'x-nomad-token'],
    pattern:
      /^(?:heroku auth:token[^\n]{0,40}\n(?:\s{0,8}\d{1,6}→|\+)?|x-\w{5,6}-token["']?:[ \t]{0,4}["']?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/i,
  },
  {
    words: ['::add-mask::', '::set-output name='],
    pattern: /^::(?:add-mask|set-output name=\w{0,40}(?:token|secret|pass\w{0,8}))::([^\s"'\\]{8,400})/i,
  },
  {
    words: ['echo -e '],
    isStrong: true,
    pattern:
      /^echo -e[ \t]{1,4}["'][\w.@+-]{1,60}(?:\\n|\n)([^\s"'\\]{6,120})["'][ \t]{0,4}>[ \t]{0,4}\S{0,60}(?:auth|cred|pass|login)/,
  },
  {
    words: [
      'snmp-server community ',
      'plain-text-password-value ',
      'insecure-password ',
      'nickserv identify ',
    ],
    pattern:
      /^(?:snmp-server community|plain-text-password-value|insecure-password|nickserv identify(?:[ \t][a-z]{1,20}(?=[ \t]))?)[ \t]{1,4}["']?(?!public|private)([^\s"'\\]{5,120})/i,
  },
  {
    words: ['password  ', 'passwd  ', 'secret  ', 'api_key  '],
    behind: /(?:^|\n|→|\+)[ \t]{0,8}$/,
    isStrong: true,
    pattern: /^\w{6,8} {2,40}(\S{6,200})[ \t]{0,40}(?=\r?\n|$)/,
  },
  {
    words: ['open -u '],
    pattern: /^open -u[ \t]{1,4}[^\s,]{1,80},([^\s"'\\]{5,120})/,
  },
  {
    words: [']:587 ', ']:465 ', ']:25 '],
    isStrong: true,
    pattern: /^\]:\d{2,3}[ \t]{1,8}[^\s:]{1,120}:([^\s"'\\]{5,120})/,
  },
  {
    words: ['password '],
    behind:
      /(?:^|\n)(?:\s{0,8}\d{1,6}→|\+)?[ \t]{0,8}user[ \t]{1,8}\S{1,80}\n(?:\s{0,8}\d{1,6}→|\+)?[ \t]{0,8}$/,
    isStrong: true,
    pattern: /^password[ \t]{1,8}["']?([^\s"'\\]{6,120})/,
  },
  {
    words: ['<password>'],
    pattern: /^<password>\s{0,20}<value>([^<\s]{6,200})<\/value>/i,
  },
  {
    words: ['q{'],
    behind: /pass\w{0,8}["']?[ \t]{0,4}=>?[ \t]{0,4}q?$/i,
    pattern: /^q\{([^{}\s\\]{6,120})\}/,
  },
  {
    words: ['" -> "'],
    behind: /(?:pass|secret|token|key)\w{0,20}["']?[ \t]{0,20}=[ \t]{0,4}"[^"\n]{0,120}$/i,
    isStrong: true,
    pattern: /^" -> "([^"\n\\]{6,200})"/,
  },
  {
    kind: 'wallet-key',
    words: ['accounts: [', 'accounts:[', 'accounts": [', 'wif: ', 'wif=', 'wif":'],
    pattern:
      /^(?:accounts"?:[ \t]{0,4}\[\s{0,12}|wif"?[:=][ \t]{0,4})["'`]?((?:0x)?[0-9a-f]{64}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51})\b/i,
  },
  {
    kind: 'api-key',
    words: ['routing_key', "'crypt'"],
    pattern:
      /^(?:routing_key["']?[ \t]{0,4}[:=][ \t]{0,4}["']?|'crypt'\s{0,4}=>\s{0,4}\[\s{0,12}'key'\s{0,4}=>\s{0,4}')([0-9a-f]{32})\b/,
  },
  {
    kind: 'api-key',
    words: ['proxy_set_header ', 'hash_salt'],
    isStrong: true,
    pattern:
      /^(?:proxy_set_header[ \t]{1,4}[\w-]{0,40}(?:key|token|secret)[ \t]{1,4}["']?|hash_salt["']?\]?[ \t]{0,4}(?:=|:)[ \t]{0,4}["'])([A-Za-z0-9+/=_-]{20,200})/i,
  },
  {
    words: ['backup code', 'recovery code'],
    pattern:
      /^\w{6,8} codes?[^\n]{0,60}:\s{1,12}(?:\d{1,6}→|\+)?((?:[a-z0-9]{4,6}-[a-z0-9]{4,6}\s{1,8}(?:\d{1,6}→|\+)?){0,15}[a-z0-9]{4,6}-[a-z0-9]{4,6})(?![\w-])/i,
  },
  {
    words: ['recovery key', 'recovery password', 'wiederherstellungsschlüssel'],
    pattern: /^[^\n]{8,80}?\s{1,12}(\d{6}(?:-\d{6}){7})(?!\d)/,
  },
  { words: ['sonar.login=', 'sonar.token='], pattern: /^sonar\.\w{5}=["']?([0-9a-zA-Z_]{20,80})/ },
]

/** Passwords in the entries of `.netrc`, `.pgpass`, SQL and pipes. */
export const LOGIN_LINES: readonly SecretRule[] = ENTRIES.map(
  ({ kind = 'password', words, pattern, isLine = false, behind, isStrong = false }) => ({
    kinds: [kind],
    words,
    matchAt: (text, at) => {
      const start = isLine ? lineStart(text, at) : at
      if (behind !== undefined && !behind.test(text.slice(Math.max(0, at - 160), at))) return null
      const match = pattern.exec(text.slice(start, start + COMMAND_MOST))
      const value = match?.[1] ?? ''
      // Other kinds have a form of their own.
      if (match === null || (kind === 'password' && !isGiven(value))) return null
      if (isStrong && !isUnlikeNames(value)) return null
      const from = start + match[0].indexOf(value, isLine ? at - start : 0)
      return { kind, start: from, end: wholeEnd(text, from + value.length) }
    },
  }),
)

/** Whether nobody would give a name, a place or a table such a text. */
function isUnlikeNames(text: string): boolean {
  return isPassword(text) && isChosen(text)
}

function lineStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < 200 && !/[\s"'`→]/.test(text.charAt(start - 1))) start--
  return start
}
