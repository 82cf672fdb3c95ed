/** Y10: where a bucket is and who may write to it: options, the variables of AWS, then its shared files. */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isLoopback } from '@dagline/core/platform'
import { UserError } from '../host/user-error.js'

/** A bucket, and what requests to it are signed with. */
export interface BucketSettings {
  readonly bucket: string
  /** What the names of all objects begin with: empty, or with `/` at the end. */
  readonly prefix: string
  /** The address of the bucket, without `/` at the end. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

type Variables = Readonly<Record<string, string | undefined>>

/** Whether a target is a bucket: `s3://bucket/prefix`. */
export function isBucketAddress(target: string): boolean {
  return /^s3:/i.test(target)
}

/** What is known of the bucket of an address. Throws `UserError` with what is missing. */
export function bucketSettings(
  address: string,
  endpoint: string | null,
  variables: Variables = process.env,
): BucketSettings {
  const { bucket, prefix } = partsOf(address)
  const files = sharedFiles(variables)
  const given = credentialsIn(variables) ?? credentialsIn(files)
  if (given === null) throw new UserError(NO_CREDENTIALS)
  const region = variables['AWS_REGION'] || variables['AWS_DEFAULT_REGION'] || files['AWS_REGION'] || null
  const own = endpoint ?? variables['AWS_ENDPOINT_URL_S3'] ?? variables['AWS_ENDPOINT_URL'] ?? ''
  const usual = region ?? 'us-east-1'
  const url = own === '' ? usualUrl(bucket, usual) : `${checkedEndpoint(own)}/${bucket}`
  return { bucket, prefix, url, region: usual, ...given }
}

const NO_CREDENTIALS =
  'No credentials for S3 were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a profile of ~/.aws/credentials with keys.'

function partsOf(address: string): Pick<BucketSettings, 'bucket' | 'prefix'> {
  const [, bucket = '', path = ''] = /^s3:\/\/([a-z0-9][a-z0-9._-]{1,62})(?:\/(.*))?$/i.exec(address) ?? []
  const parts = path.split('/').filter(part => part !== '')
  if (bucket === '' || parts.some(part => part === '.' || part === '..'))
    throw new UserError(`${address} is not the address of a bucket. Give s3://BUCKET or s3://BUCKET/PREFIX.`)
  return { bucket, prefix: parts.map(part => `${part}/`).join('') }
}

/** A name with a dot does not match the certificate of its subdomain. */
function usualUrl(bucket: string, region: string): string {
  const domain = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  return bucket.includes('.') ? `https://${domain}/${bucket}` : `https://${bucket}.${domain}`
}

function checkedEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UserError(
      `${endpoint} is not the address of an S3 server. Give one such as https://s3.example.com.`,
    )
  if (url.username !== '' || url.password !== '')
    throw new UserError('The address of an S3 server holds no keys. Set AWS_ACCESS_KEY_ID instead.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new UserError(`${endpoint} would receive your history unencrypted. Give an https:// address.`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

type Credentials = Pick<BucketSettings, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>

function credentialsIn(values: Variables): Credentials | null {
  const accessKeyId = values['AWS_ACCESS_KEY_ID'] || ''
  const secretAccessKey = values['AWS_SECRET_ACCESS_KEY'] || ''
  if (accessKeyId === '' || secretAccessKey === '') return null
  return { accessKeyId, secretAccessKey, sessionToken: values['AWS_SESSION_TOKEN'] || undefined }
}

/** The keys and the region of a profile, by the names of their variables. */
function sharedFiles(variables: Variables): Variables {
  const folder = join(homedir(), '.aws')
  const profile = variables['AWS_PROFILE'] || 'default'
  const credentials = variables['AWS_SHARED_CREDENTIALS_FILE'] || join(folder, 'credentials')
  const config = variables['AWS_CONFIG_FILE'] || join(folder, 'config')
  const found = {
    ...sectionOf(config, profile === 'default' ? profile : `profile ${profile}`),
    ...sectionOf(credentials, profile),
  }
  return {
    AWS_ACCESS_KEY_ID: found['aws_access_key_id'],
    AWS_SECRET_ACCESS_KEY: found['aws_secret_access_key'],
    AWS_SESSION_TOKEN: found['aws_session_token'],
    AWS_REGION: found['region'],
  }
}

/** The values of a section of an INI file; empty where there is none. */
function sectionOf(path: string, section: string): Variables {
  if (!existsSync(path)) return {}
  const values: Record<string, string> = {}
  let isOurs = false
  for (const line of readFileSync(path, 'utf8').split(/\r?\n/)) {
    const title = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1]
    if (title !== undefined) isOurs = title.replace(/\s+/g, ' ') === section
    const [, name, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (isOurs && name !== undefined && value !== undefined) values[name.toLowerCase()] = value
  }
  return values
}
