import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBucket } from './bucket.js'
import { bucketSettings } from './settings.js'

const NONE = { AWS_SHARED_CREDENTIALS_FILE: '/none', AWS_CONFIG_FILE: '/none' }
const KEYS = { ...NONE, AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

describe('where a bucket is', () => {
  it('[Y10] the server is that of the option, of a variable, or of AWS', () => {
    const urlOf = (address: string, endpoint: string | null, more: object = {}): string =>
      bucketSettings(address, endpoint, { ...KEYS, ...more }).url
    expect(urlOf('s3://lake/a', null)).toBe('https://lake.s3.us-east-1.amazonaws.com')
    expect(urlOf('s3://lake/a', null, { AWS_REGION: 'eu-west-3' })).toBe(
      'https://lake.s3.eu-west-3.amazonaws.com',
    )
    expect(urlOf('s3://my.lake', null, { AWS_DEFAULT_REGION: 'cn-north-1' })).toBe(
      'https://s3.cn-north-1.amazonaws.com.cn/my.lake',
    )
    const variables = { AWS_ENDPOINT_URL: 'https://one.test', AWS_ENDPOINT_URL_S3: 'https://two.test/' }
    expect(urlOf('s3://lake', null, variables)).toBe('https://two.test/lake')
    expect(urlOf('s3://lake', 'http://[::1]:9000', variables)).toBe('http://[::1]:9000/lake')
  })

  it('[Y10] the prefix ends with a slash, and leads nowhere else', () => {
    const prefixOf = (address: string): string => bucketSettings(address, null, KEYS).prefix
    expect(['s3://lake', 's3://lake/', 's3://lake/a//b/'].map(prefixOf)).toEqual(['', '', 'a/b/'])
    for (const address of ['s3:lake', 's3://', 's3://x', 's3://lake/../a', 's3:///a'])
      expect(() => prefixOf(address)).toThrow(/is not the address of a bucket/)
  })

  it('[Y10] nothing is sent unencrypted to another machine', () => {
    for (const endpoint of ['http://example.com', 'http://127.0.0.1.example.com', 'http://0.0.0.0'])
      expect(() => bucketSettings('s3://lake', endpoint, KEYS)).toThrow(/unencrypted/)
    expect(() => bucketSettings('s3://lake', 'https://id:key@example.com', KEYS)).toThrow(/holds no keys/)
    expect(() => bucketSettings('s3://lake', 'example.com', KEYS)).toThrow(/Give one such as https/)
  })

  it('[Y10] keys are those of variables, else of the profile of the shared files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dagline-aws-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [credentials, config] = [join(folder, 'credentials'), join(folder, 'config')]
    writeFileSync(
      credentials,
      '# keys\n[default]\naws_access_key_id = one\naws_secret_access_key=two==\r\n\n[ team ]\naws_access_key_id=three\naws_secret_access_key=four\naws_session_token=five\n',
    )
    writeFileSync(config, '[default]\nregion=eu-west-1\n[profile team]\nregion = eu-west-2\n')
    const files = { AWS_SHARED_CREDENTIALS_FILE: credentials, AWS_CONFIG_FILE: config }
    expect(bucketSettings('s3://lake', null, files)).toMatchObject({
      ...{ accessKeyId: 'one', secretAccessKey: 'two==', sessionToken: undefined, region: 'eu-west-1' },
    })
    expect(bucketSettings('s3://lake', null, { ...files, AWS_PROFILE: 'team' })).toMatchObject({
      ...{ accessKeyId: 'three', secretAccessKey: 'four', sessionToken: 'five', region: 'eu-west-2' },
    })
    expect(bucketSettings('s3://lake', null, { ...KEYS, ...files }).accessKeyId).toBe('id')
    expect(() => bucketSettings('s3://lake', null, NONE)).toThrow(/No credentials .* AWS_ACCESS_KEY_ID/)
  })

  it('[Y10] a server that cannot be reached is named, with what to check', async () => {
    // Nobody listens on this port.
    const bucket = openBucket(bucketSettings('s3://lake', 'http://127.0.0.1:1', KEYS), { patience: 1 })
    await expect(bucket.list()).rejects.toThrow(/http:\/\/127.0.0.1:1 cannot be reached \(.+\)\. Check/)
  })
})
