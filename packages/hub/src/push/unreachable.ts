/** HU53: why a hub could not be reached, for messages. */

import { networkReason } from '@dagline/app'

/** Codes of certificates that do not prove who answers; OpenSSL has many of them. */
const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME/

/** The sentence about a request without an answer: what happened, and what to check. */
export function unreachableHub(url: string, error: unknown): string {
  const reason = networkReason(error)
  if (CERTIFICATE.test(reason))
    return `The certificate of ${url} is not valid for this address or not trusted (${reason}). Check the address; if your company signs its own certificates, name its certificate file in NODE_EXTRA_CA_CERTS.`
  if (reason === 'TimeoutError') return `The hub ${url} takes too long to answer. Try again later.`
  return `The hub ${url} does not answer (${reason}). Check the address, and that the hub runs.`
}
