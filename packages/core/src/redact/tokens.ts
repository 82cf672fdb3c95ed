/** Tokens with a known beginning. */
import { namesIn } from '../model/group.js'
import type { SecretRule } from './anchors.js'
import { type CharSet, isIn, runEnd, runStart, SETS } from './chars.js'
import { isTokenBody, looksRandom } from './likely.js'
import { unwrapped, wrappedEnd } from './wraps.js'

/** A kind of token: how it begins, and what must follow. */
interface TokenRule {
  readonly kind: string
  /** Its beginnings, with blanks between them. */
  readonly starts: string
  readonly body: CharSet
  /** The fewest characters after the beginning. */
  readonly min: number
  /** The usual number of characters: a token that a line break cuts earlier continues on the next line. */
  readonly full?: number
  /** Words contain its beginning, too: inside a word it is never a token, or only with its usual length. */
  readonly alone?: 'always' | 'unless-whole'
  /** What stands before it, where its beginning says too little. */
  readonly behind?: string
}

const { alnum, hex, anyHex, upper, word, url, dotted, base64 } = SETS

const RULES: readonly TokenRule[] = [
  { kind: 'aws-key', starts: 'AKIA ASIA ABIA ACCA', body: upper, min: 16 },
  { kind: 'aws-id', starts: 'AROA AIDA AGPA AIPA ANPA ANVA', body: upper, min: 16, alone: 'always' },
  { kind: 'aws-session', starts: 'IQoJb3JpZ2lu', body: base64, min: 40, full: 300 },
  { kind: 'github-token', starts: 'ghp_ gho_ ghu_ ghs_ ghr_', body: word, min: 30, full: 36 },
  { kind: 'github-token', starts: 'github_pat_', body: word, min: 22, full: 82 },
  { kind: 'gitlab-token', starts: 'glpat- gldt- glrt- glcbt- glptt-', body: dotted, min: 20 },
  { kind: 'gitlab-token', starts: 'glft- glsoat- glimt- glagent- gloas-', body: dotted, min: 20 },
  { kind: 'slack-token', starts: 'xoxb- xoxp- xoxa- xoxr- xoxs-', body: url, min: 12, full: 50 },
  { kind: 'slack-token', starts: 'xoxo- xoxe- xoxc- xoxd- xapp-', body: url, min: 12, full: 50 },
  { kind: 'stripe-key', starts: 'sk_live_ sk_test_ rk_live_ rk_test_', body: alnum, min: 16, full: 24 },
  { kind: 'stripe-webhook', starts: 'whsec_', body: base64, min: 24, full: 32 },
  { kind: 'google-key', starts: 'AIza', body: url, min: 35, full: 35 },
  { kind: 'google-key', starts: 'AQ.Ab8RN6', body: url, min: 30, full: 44 },
  { kind: 'google-oauth', starts: 'GOCSPX-', body: url, min: 24, full: 28 },
  { kind: 'google-oauth', starts: 'ya29.', body: dotted, min: 24, full: 100 },
  { kind: 'anthropic-key', starts: 'sk-ant-', body: url, min: 24, full: 100 },
  { kind: 'openai-key', starts: 'sk-proj- sk-svcacct- sk-admin-', body: url, min: 20, full: 124 },
  { kind: 'openai-key', starts: 'sk-', body: alnum, min: 32, full: 48, alone: 'always' },
  { kind: 'openrouter-key', starts: 'sk-or-v1- sk-or-', body: url, min: 32, full: 64 },
  { kind: 'langfuse-key', starts: 'sk-lf-', body: url, min: 32, alone: 'always' },
  { kind: 'langsmith-key', starts: 'lsv2_pt_ lsv2_sk_', body: word, min: 32 },
  { kind: 'groq-key', starts: 'gsk_', body: alnum, min: 40, full: 52 },
  { kind: 'xai-key', starts: 'xai-', body: alnum, min: 60, full: 80 },
  {
    kind: 'paseto',
    starts: 'v1.local. v2.local. v3.local. v4.local.',
    body: dotted,
    min: 60,
    alone: 'always',
  },
  { kind: 'paseto', starts: 'v2.public. v3.public. v4.public.', body: dotted, min: 100, alone: 'always' },
  { kind: 'perplexity-key', starts: 'pplx-', body: alnum, min: 40, full: 48 },
  { kind: 'replicate-token', starts: 'r8_', body: alnum, min: 36, full: 37, alone: 'unless-whole' },
  { kind: 'huggingface-token', starts: 'hf_', body: alnum, min: 30, full: 34, alone: 'unless-whole' },
  { kind: 'huggingface-token', starts: 'api_org_', body: alnum, min: 30, full: 34, alone: 'unless-whole' },
  { kind: 'tavily-key', starts: 'tvly-', body: url, min: 30 },
  { kind: 'npm-token', starts: 'npm_', body: word, min: 36, full: 36 },
  { kind: 'pypi-token', starts: 'pypi-', body: url, min: 50, full: 150 },
  { kind: 'rubygems-key', starts: 'rubygems_', body: hex, min: 40, full: 48 },
  { kind: 'docker-token', starts: 'dckr_pat_ dckr_oat_', body: url, min: 24, full: 27 },
  { kind: 'shopify-token', starts: 'shpat_ shpca_ shppa_ shpss_', body: alnum, min: 32, full: 32 },
  { kind: 'digitalocean-token', starts: 'dop_v1_ doo_v1_ dor_v1_', body: hex, min: 60, full: 64 },
  { kind: 'cloudflare-token', starts: 'cfk_ cfut_ cfat_', body: alnum, min: 40, full: 48 },
  { kind: 'cloudflare-key', starts: 'v1.0-', body: url, min: 100, full: 171, alone: 'always' },
  { kind: 'vercel-token', starts: 'vcp_ vci_ vca_ vcr_ vck_', body: alnum, min: 20, alone: 'unless-whole' },
  { kind: 'vercel-token', starts: 'vercel_blob_rw_', body: word, min: 24 },
  { kind: 'supabase-key', starts: 'sbp_', body: hex, min: 40, full: 40 },
  { kind: 'supabase-key', starts: 'sb_secret_', body: url, min: 24, full: 31 },
  { kind: 'planetscale-token', starts: 'pscale_tkn_ pscale_pw_ pscale_oauth_', body: dotted, min: 32 },
  { kind: 'databricks-token', starts: 'dapi', body: anyHex, min: 32, full: 32 },
  { kind: 'grafana-token', starts: 'glc_', body: base64, min: 32 },
  { kind: 'grafana-token', starts: 'glsa_', body: word, min: 36, full: 41 },
  { kind: 'vault-token', starts: 'hvs. hvb. hvr.', body: url, min: 24, full: 95 },
  { kind: 'vault-token', starts: 's.', body: alnum, min: 24, full: 24, alone: 'always', behind: 'Token: ' },
  { kind: 'tailscale-key', starts: 'tskey-', body: url, min: 24 },
  { kind: 'onepassword-token', starts: 'ops_eyJ', body: base64, min: 90, full: 250 },
  { kind: 'linear-key', starts: 'lin_api_ lin_oauth_', body: word, min: 32, full: 40 },
  { kind: 'notion-token', starts: 'ntn_', body: alnum, min: 40, full: 46 },
  { kind: 'notion-token', starts: 'secret_', body: alnum, min: 43, full: 43 },
  { kind: 'figma-token', starts: 'figd_', body: url, min: 36, full: 40 },
  { kind: 'atlassian-token', starts: 'ATATT3xFfGF0 ATCTT3xFfGN0', body: SETS.token, min: 40, full: 180 },
  { kind: 'sentry-token', starts: 'sntrys_ sntryu_', body: SETS.token, min: 32 },
  { kind: 'newrelic-key', starts: 'NRAK- NRII-', body: url, min: 24, full: 27 },
  { kind: 'postman-key', starts: 'PMAK-', body: url, min: 50, full: 59 },
  { kind: 'doppler-token', starts: 'dp.pt. dp.st. dp.ct. dp.sa.', body: dotted, min: 36, alone: 'always' },
  { kind: 'heroku-key', starts: 'HRKU-', body: url, min: 30 },
  { kind: 'netlify-token', starts: 'nfp_ nfc_', body: alnum, min: 36, alone: 'unless-whole' },
  { kind: 'circleci-token', starts: 'CCIPAT_ CCIPRJ_', body: word, min: 36 },
  { kind: 'buildkite-token', starts: 'bkua_ bkat_', body: alnum, min: 36, full: 40 },
  { kind: 'pulumi-token', starts: 'pul-', body: hex, min: 40, full: 40, alone: 'always' },
  { kind: 'square-token', starts: 'sq0atp- sq0csp-', body: url, min: 22 },
  { kind: 'mailgun-key', starts: 'key-', body: hex, min: 32, full: 32, alone: 'always' },
  { kind: 'twilio-key', starts: 'SK', body: hex, min: 32, full: 32, alone: 'unless-whole' },
  { kind: 'resend-key', starts: 're_', body: word, min: 32, full: 33, alone: 'always' },
  { kind: 'firecrawl-key', starts: 'fc-', body: hex, min: 32, full: 32, alone: 'always' },
  { kind: 'age-key', starts: 'AGE-SECRET-KEY-1', body: upper, min: 50, full: 58 },
  { kind: 'adafruit-key', starts: 'aio_', body: alnum, min: 28, full: 28, alone: 'always' },
  { kind: 'alibaba-key', starts: 'LTAI', body: alnum, min: 16, full: 20, alone: 'always' },
  { kind: 'apify-token', starts: 'apify_api_', body: alnum, min: 30, full: 36 },
  { kind: 'aws-bedrock-key', starts: 'ABSKQmVkcm9ja0FQSUtleS bedrock-api-key-', body: base64, min: 40 },
  { kind: 'axiom-token', starts: 'xaat- xapt-', body: url, min: 36, full: 36, alone: 'always' },
  { kind: 'bitbucket-token', starts: 'ATBB', body: alnum, min: 28, full: 32, alone: 'always' },
  { kind: 'brevo-key', starts: 'xkeysib- xsmtpsib-', body: url, min: 40, full: 81 },
  { kind: 'cerebras-key', starts: 'csk-', body: alnum, min: 40, full: 48, alone: 'always' },
  { kind: 'clojars-token', starts: 'CLOJARS_', body: alnum, min: 56, full: 60 },
  { kind: 'contentful-token', starts: 'CFPAT-', body: url, min: 40, full: 43 },
  { kind: 'crates-token', starts: 'cio', body: alnum, min: 32, full: 32, alone: 'always' },
  { kind: 'cursor-key', starts: 'crsr_ key_', body: hex, min: 60, full: 64, alone: 'always' },
  { kind: 'dropbox-token', starts: 'sl.', body: dotted, min: 60, full: 130, alone: 'always' },
  { kind: 'duffel-token', starts: 'duffel_live_ duffel_test_', body: url, min: 40, full: 43 },
  { kind: 'dynatrace-token', starts: 'dt0c01. dt0s16.', body: dotted, min: 60, full: 89 },
  { kind: 'e2b-key', starts: 'e2b_', body: hex, min: 40, full: 40 },
  { kind: 'easypost-key', starts: 'EZAK EZTK', body: alnum, min: 50, full: 54, alone: 'always' },
  { kind: 'elastic-key', starts: 'essu_', body: base64, min: 40 },
  { kind: 'elevenlabs-key', starts: 'sk_', body: hex, min: 48, full: 48, alone: 'always' },
  { kind: 'facebook-token', starts: 'EAA', body: alnum, min: 80, full: 180, alone: 'always' },
  { kind: 'fireworks-key', starts: 'fw_', body: alnum, min: 20, full: 22, alone: 'always' },
  { kind: 'flutterwave-key', starts: 'FLWSECK- FLWSECK_TEST-', body: url, min: 20, full: 34 },
  { kind: 'fly-token', starts: 'fo1_', body: url, min: 40, full: 43, alone: 'always' },
  { kind: 'fly-token', starts: 'fm1r_ fm2_', body: base64, min: 80, full: 200, alone: 'always' },
  { kind: 'frameio-token', starts: 'fio-u-', body: url, min: 60, full: 64 },
  { kind: 'honeycomb-key', starts: 'hcaik_ hcbik_ hcalk_ hcblk_', body: alnum, min: 40, full: 58 },
  { kind: 'hubspot-token', starts: 'pat-na1- pat-na2- pat-eu1- pat-ap1-', body: url, min: 36, full: 36 },
  { kind: 'infracost-key', starts: 'ico-', body: alnum, min: 32, full: 32, alone: 'always' },
  { kind: 'inngest-key', starts: 'signkey-prod- signkey-test-', body: hex, min: 60, full: 64 },
  { kind: 'intercom-token', starts: 'dG9rO', body: base64, min: 50, full: 55, alone: 'always' },
  { kind: 'jfrog-token', starts: 'AKCp', body: alnum, min: 60, full: 69, alone: 'always' },
  { kind: 'jfrog-token', starts: 'cmVmdGtuO', body: base64, min: 50, full: 55, alone: 'always' },
  { kind: 'jina-key', starts: 'jina_', body: url, min: 40, full: 60 },
  { kind: 'klaviyo-key', starts: 'pk_', body: hex, min: 34, full: 34, alone: 'always' },
  { kind: 'logfire-token', starts: 'pylf_v1_', body: word, min: 32 },
  { kind: 'mailersend-token', starts: 'mlsn.', body: hex, min: 60, full: 64 },
  { kind: 'mapbox-token', starts: 'sk.eyJ tk.eyJ', body: dotted, min: 60, full: 80, alone: 'always' },
  { kind: 'mws-key', starts: 'amzn.mws.', body: url, min: 36, full: 36 },
  { kind: 'neon-key', starts: 'napi_', body: alnum, min: 40, full: 64 },
  { kind: 'nuget-key', starts: 'oy2', body: alnum, min: 43, full: 43, alone: 'always' },
  { kind: 'nvidia-key', starts: 'nvapi-', body: url, min: 60, full: 64 },
  { kind: 'okta-token', starts: '00', body: url, min: 40, full: 40, alone: 'always', behind: 'SSWS ' },
  { kind: 'onesignal-key', starts: 'os_v2_app_ os_v2_org_', body: alnum, min: 60, full: 104 },
  { kind: 'openshift-token', starts: 'sha256~', body: url, min: 40, full: 43 },
  { kind: 'paddle-key', starts: 'pdl_live_apikey_ pdl_sdbx_apikey_', body: word, min: 40 },
  { kind: 'pinecone-key', starts: 'pcsk_', body: word, min: 40, full: 70 },
  { kind: 'plaid-token', starts: 'access-production- access-sandbox-', body: url, min: 36, full: 36 },
  { kind: 'polar-token', starts: 'polar_oat_ polar_pat_', body: alnum, min: 40 },
  { kind: 'posthog-key', starts: 'phx_ phs_', body: alnum, min: 36, full: 43 },
  { kind: 'prefect-key', starts: 'pnu_ pnb_', body: alnum, min: 36, full: 36 },
  { kind: 'readme-key', starts: 'rdme_', body: alnum, min: 60, full: 70 },
  { kind: 'render-key', starts: 'rnd_', body: alnum, min: 24, full: 28, alone: 'always' },
  { kind: 'shippo-token', starts: 'shippo_live_ shippo_test_', body: hex, min: 40, full: 40 },
  { kind: 'socket-key', starts: 'sktsec_', body: url, min: 30, full: 44 },
  { kind: 'sonarqube-token', starts: 'squ_ sqp_ sqa_', body: hex, min: 40, full: 40 },
  { kind: 'sourcegraph-token', starts: 'sgp_', body: word, min: 40 },
  { kind: 'square-token', starts: 'EAAA', body: url, min: 60, full: 60, alone: 'always' },
  { kind: 'stytch-secret', starts: 'secret-live- secret-test-', body: SETS.token, min: 36, full: 36 },
  { kind: 'telnyx-key', starts: 'KEY01', body: word, min: 44, full: 52, alone: 'always' },
  { kind: 'tinybird-token', starts: 'p.eyJ', body: dotted, min: 60, full: 120, alone: 'always' },
  { kind: 'together-key', starts: 'tgp_v1_', body: url, min: 40, full: 43 },
  {
    kind: 'trigger-key',
    starts: 'tr_prod_ tr_dev_ tr_stg_',
    body: alnum,
    min: 20,
    full: 20,
    alone: 'always',
  },
  { kind: 'typeform-token', starts: 'tfp_', body: dotted, min: 40, full: 59 },
  { kind: 'vk-token', starts: 'vk1.a.', body: url, min: 60, full: 198 },
  { kind: 'voyage-key', starts: 'pa-', body: url, min: 40, full: 43, alone: 'always' },
  { kind: 'wakatime-key', starts: 'waka_', body: url, min: 36, full: 36 },
  { kind: 'wandb-key', starts: 'wandb_v1_', body: word, min: 40 },
  { kind: 'wallet-key', starts: 'xprv yprv zprv tprv', body: alnum, min: 100, full: 107, alone: 'always' },
  { kind: 'x-bearer', starts: 'AAAAAAAAAAAAAAAAAAAAA', body: SETS.token, min: 60, full: 90, alone: 'always' },
  { kind: 'yandex-key', starts: 'AQVN', body: url, min: 35, full: 36, alone: 'always' },
  { kind: 'zoho-token', starts: '1000.', body: dotted, min: 65, full: 65, alone: 'always' },
]

/** Characters that are examined; a longer token is taken to its end. */
const LOOK = 160
/** Inside a longer run of base64, a beginning of plain letters occurs by chance. */
const LONGEST_NOISE = 600

/** Tokens, found by their beginnings. */
export const TOKENS: readonly SecretRule[] = RULES.map(rule => ({
  kinds: [rule.kind],
  words: namesIn(rule.starts).map(start => `${rule.behind ?? ''}${start}`),
  matchAt: (text, at, found) => {
    if (!text.startsWith(found, at)) return null
    const behind = rule.behind?.length ?? 0
    const start = at + behind
    const end = tokenEnd(text, start, found.length - behind, rule)
    return end < 0 ? null : { kind: rule.kind, start, end }
  },
}))

function tokenEnd(text: string, at: number, length: number, rule: TokenRule): number {
  const isInside = rule.alone !== undefined && isIn(text, at - 1, url)
  if (isInside && rule.alone === 'always') return -1
  const from = at + length
  const end = runEnd(text, from, rule.body, LOOK)
  const joined = wrappedEnd(text, from, end, { set: rule.body, wanted: rule.full ?? rule.min })
  const last = trimEnd(text, joined)
  const body = joined > end ? unwrapped(text.slice(from, last)) : text.slice(from, last)
  if (body.length < rule.min || !isTokenBody(body)) return -1
  if (isInside && body.length < (rule.full ?? rule.min)) return -1
  if (
    isPlain(text, at, length) &&
    (isInNoise(text, at) || (rule.alone === 'always' && isBehindNoise(text, at)))
  )
    return -1
  return joined - from < LOOK ? last : trimEnd(text, runEnd(text, joined, rule.body, text.length))
}

/** Without the punctuation that ends a sentence. */
function trimEnd(text: string, end: number): number {
  let last = end
  while (/[.%~]/.test(text.charAt(last - 1))) last--
  return last
}

/** Whether a slash or a plus sign is before it that is not of a path, but of base64. */
function isBehindNoise(text: string, at: number): boolean {
  const start = runStart(text, at, base64, NOISE)
  return at - start >= NOISE / 2 && looksRandom(text.slice(start, at))
}

const NOISE = 40

/** Whether the beginning is plain letters and digits, which occur in base64 by chance. */
function isPlain(text: string, at: number, length: number): boolean {
  return runEnd(text, at, alnum, length) === at + length
}

function isInNoise(text: string, at: number): boolean {
  const start = runStart(text, at, base64, LONGEST_NOISE)
  return start < at && runEnd(text, at, base64, LONGEST_NOISE) - start >= LONGEST_NOISE
}
