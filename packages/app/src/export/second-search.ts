/**
 * R2: the second search of an export, by rules that others keep: the recommended preset of secretlint. What our own rules
 * overlook is found in the finished file and replaced, too.
 */
import type { FoundSecret } from '@dagline/core/redact'

/** The parts of an export in which the preset finds something; a part is searched once. */
export async function searchAgain(text: string): Promise<readonly FoundSecret[]> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const { messages } = await lintSource({
    source: { filePath: 'export.txt', content: text, contentType: 'text' },
    options: { config: { rules: [{ id: PRESET, rule: creator }] } },
  })
  return messages.map(({ ruleId, range: [start, end] }) => ({
    kind: kindOf(ruleId),
    text: text.slice(start, end),
  }))
}

const PRESET = '@secretlint/secretlint-rule-preset-recommend'

/** `@secretlint/secretlint-rule-aws` is `aws-secret`. */
function kindOf(rule: string): string {
  const name = rule
    .replace(/^.*secretlint-rule-/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return `${name}-secret`
}
