/** `dagline doctor --ci`: the policy, its exit code, and what programs read of it. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { dagline, json, onShape, REPOSITORY, SAMPLES } from './run.js'

const WHOLE = 's1: u1 a1 u2 a2'
const CUT = 's1: u1 a1 u2 a2 / s1: ?9 > u3@+1h a3'
const TOKEN = `ghp_${'k3J9xQ2mZ7pL5vB8nR1tW4yU6iO0aS2dF4g'}1`

/** What SARIF 2.1.0 demands of the parts that are used here. */
const SARIF = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string', format: 'uri' },
    version: { enum: ['2.1.0'] },
    runs: { type: 'array', items: { $ref: '#/$defs/run' } },
  },
  additionalProperties: false,
  $defs: {
    message: { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } },
    rule: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string' },
        shortDescription: { $ref: '#/$defs/message' },
        help: { $ref: '#/$defs/message' },
        defaultConfiguration: {
          type: 'object',
          properties: { level: { enum: ['none', 'note', 'warning', 'error'] } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    run: {
      type: 'object',
      required: ['tool', 'results'],
      properties: {
        tool: {
          type: 'object',
          required: ['driver'],
          properties: {
            driver: {
              type: 'object',
              required: ['name'],
              properties: {
                name: { type: 'string' },
                version: { type: 'string' },
                informationUri: { type: 'string' },
                rules: { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/rule' } },
              },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        },
        columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
        results: { type: 'array', items: { $ref: '#/$defs/result' } },
      },
      additionalProperties: false,
    },
    result: {
      type: 'object',
      required: ['message'],
      properties: {
        ruleId: { type: 'string' },
        ruleIndex: { type: 'integer', minimum: -1 },
        level: { enum: ['none', 'note', 'warning', 'error'] },
        message: { $ref: '#/$defs/message' },
        locations: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              physicalLocation: {
                type: 'object',
                required: ['artifactLocation'],
                properties: {
                  artifactLocation: {
                    type: 'object',
                    properties: { uri: { type: 'string', pattern: '^[^\\s\\\\]+$' } },
                  },
                  region: { type: 'object', properties: { startLine: { type: 'integer', minimum: 1 } } },
                },
                additionalProperties: false,
              },
            },
          },
        },
      },
      additionalProperties: false,
    },
  },
}

const isSarif = new Ajv2020({ strict: false, validateFormats: false }).compile(SARIF)

describe('[D27] doctor --ci', () => {
  it('passes what keeps the policy', () => {
    const { stdout, code } = dagline(['doctor', '--ci', SAMPLES])
    expect([stdout, code]).toEqual(['10 transcripts checked, the policy holds.\n', 0])
  })

  it('finds a session that loses entries on resume, unless that is allowed', async () => {
    await onShape(CUT, (run, { projects }) => {
      const { stdout, code } = run('doctor', '--ci', projects)
      expect(code).toBe(1)
      expect(stdout).toMatch(/s1\.jsonl:5: resume-loss: A resume loads 2 of 6 entries\. Its parent/)
      expect(stdout).toContain('1 transcript checked, 1 violation of the policy.')
      expect(run('doctor', '--ci', projects, '--allow', 'resume').code).toBe(0)
    })
  })

  it('finds secrets in rows and in outputs beside them, and never prints them', async () => {
    await onShape(WHOLE, (run, { projects }) => {
      const folder = join(projects, '-home-dev-proj')
      const row = { type: 'user', uuid: 'u9', message: { role: 'user', content: `use ${TOKEN}` } }
      appendFileSync(join(folder, 's1.jsonl'), `${JSON.stringify(row)}\n`)
      mkdirSync(join(folder, 's1', 'tool-results'), { recursive: true })
      writeFileSync(join(folder, 's1', 'tool-results', 'out.txt'), `one\ntoken ${TOKEN}\n`)
      const sarif = join(projects, '..', 'report.sarif')
      const { stdout, stderr, code } = run('doctor', '--ci', projects, '--allow', 'resume', '--sarif', sarif)
      expect(code).toBe(1)
      expect(stdout).toMatch(/s1\.jsonl:5: secret: A likely secret: github-token\./)
      expect(stdout).toMatch(/out\.txt:2: secret: A likely secret: github-token\./)
      expect(`${stdout}${stderr}${readFileSync(sarif, 'utf8')}`).not.toContain(TOKEN)
      expect(run('doctor', '--ci', projects, '--allow', 'resume', '--allow', 'secrets').code).toBe(0)
    })
  })

  it('finds a session that the API would refuse', async () => {
    await onShape('s1: a1 u2 a2', (run, { projects }) => {
      expect(run('doctor', '--ci', projects).stdout).toMatch(
        /s1\.jsonl:1: resume-loss: The API would refuse what a resume sends\. A resume begins with this answer/,
      )
    })
  })

  it('finds records of unknown types', async () => {
    await onShape(WHOLE, (run, { projects }) => {
      appendFileSync(
        join(projects, '-home-dev-proj', 's1.jsonl'),
        '{"type":"quantum-state","sessionId":"s1"}\n',
      )
      const told = json(run('doctor', '--ci', projects, '--json'))
      expect(told.violations).toMatchObject([
        { part: 'unknown', row: 5, message: 'The type of this record is not known: quantum-state.' },
      ])
      expect(run('doctor', '--ci', projects, '--allow', 'unknown').code).toBe(0)
    })
  })

  it('writes SARIF 2.1.0, with and without violations', async () => {
    await onShape(CUT, (run, { projects }) => {
      for (const [name, options] of Object.entries({ some: [], none: ['--allow', 'resume'] })) {
        const file = join(projects, '..', `${name}.sarif`)
        run('doctor', '--ci', projects, '--sarif', file, ...options)
        const log = JSON.parse(readFileSync(file, 'utf8'))
        expect(isSarif(log), JSON.stringify(isSarif.errors)).toBe(true)
        expect(log.runs[0].results).toHaveLength(name === 'some' ? 1 : 0)
        for (const { ruleId, ruleIndex } of log.runs[0].results)
          expect(log.runs[0].tool.driver.rules[ruleIndex].id).toBe(ruleId)
      }
    })
  })

  it('prints annotations in GitHub Actions, with what would end them escaped', async () => {
    await onShape(CUT, (_, { projects }) => {
      const { stdout } = dagline(['doctor', '--ci', projects], { GITHUB_ACTIONS: 'true' })
      expect(stdout).toMatch(
        /^::error file=\S+s1\.jsonl,line=5,title=A session that loses entries on resume::A resume loads 2 of 6 entries\. .*$/m,
      )
      expect(dagline(['doctor', '--ci', projects]).stdout).not.toContain('::error')
    })
  })

  it('does not pass where there is nothing to check, and says which options go together', async () => {
    await onShape(WHOLE, (run, { projects }) => {
      mkdirSync(join(projects, '..', 'empty'))
      const nothing = run('doctor', '--ci', join(projects, '..', 'empty'))
      expect([nothing.code, nothing.stderr]).toEqual([
        1,
        expect.stringMatching(/^dagline: No transcripts in /),
      ])
      expect(run('doctor', '--ci').stderr).toContain('Give the PATH to check')
      expect(run('doctor', '--sarif', 'x').stderr).toContain('Give --ci and the PATH to check, too.')
      expect(run('doctor', '--ci', projects, '--sarif', '/no/such/folder/x').stderr).toMatch(
        /could not be written/,
      )
      expect(existsSync('/no/such/folder')).toBe(false)
    })
  })

  it('is shown in docs/CI.md as it prints', () => {
    const text = readFileSync(join(REPOSITORY, 'docs/CI.md'), 'utf8')
    const [, words = '', shown = ''] = /^\$ dagline (.*)\n((?:.*\n)*?)```/m.exec(text) ?? []
    expect(dagline(words.replace('fixtures', join(REPOSITORY, 'fixtures')).split(' ')).stdout).toBe(shown)
    const [, inWorkflow = ''] = /run: npx dagline (.*)$/m.exec(text) ?? []
    const options = dagline(['doctor', '--help']).stdout
    for (const option of inWorkflow.match(/--\w+/g) ?? []) expect(options).toContain(option)
  })
})
