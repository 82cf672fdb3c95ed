/** `dagline hub connect`: the address of the hub, and the token for it. */
import { readFileSync } from 'node:fs'
import { changeSetting, UserError } from '@dagline/app'
import { checkAddress, isDatabase, keepHubToken, shownAddress } from '@dagline/hub'
import type { Console } from '../console.js'
import { askSecret } from '../output.js'
import type { HubOptions } from './hub.js'

export async function connectHub(
  console: Console,
  words: readonly string[],
  { hub }: HubOptions,
): Promise<void> {
  const [url = hub, ...more] = words
  if (url === null || more.length > 0)
    throw new UserError('Give the address of a hub: `dagline hub connect https://hub.example.com`.')
  checkAddress(url)
  if (!isDatabase(url)) keepHubToken(url, await readToken(url))
  changeSetting('hub', [url])
  if (console.options.json) await console.printJson('hub', { action: 'connect', hub: shownAddress(url) })
  else
    await console.print([
      `The hub is ${shownAddress(url)}. Preview what would be sent with \`dagline hub push --dry-run\`.`,
    ])
}

/** From the terminal without showing it, else the first line of standard input. */
async function readToken(url: string): Promise<string> {
  const text = process.stdin.isTTY ? await askSecret(`Token for ${url}:`) : readFileSync(0, 'utf8')
  const [token = ''] = text.trim().split(/\s/)
  if (!/^[\x21-\x7e]{8,}$/.test(token))
    throw new UserError(
      `That is not a token. Give it on standard input: \`dagline hub connect ${url} < token.txt\`.`,
    )
  return token
}
