/** R3: hashes in placeholders: the same secret has the same one in every export of this installation. */
import { createHmac } from 'node:crypto'
import { redactionKey } from '@dagline/store'

/** Digits of a hash: enough that two secrets of one machine hardly ever share one, too few to try guesses against. */
const DIGITS = 8

/** The hash of a secret, by the key of this installation. */
export function placeholderHash(): (secret: string) => string {
  let key: string | null = null
  return secret => {
    key ??= redactionKey()
    return createHmac('sha256', key).update(secret).digest('hex').slice(0, DIGITS)
  }
}
