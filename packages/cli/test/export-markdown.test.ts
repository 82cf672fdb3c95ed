/** Exports as Markdown. */
import { tokenUuid } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { answer, called, onFiles, onRich, print, prompt, sessionFile } from './export-files.js'
import { block, onShape } from './run.js'

describe('export --format md', () => {
  it('is a document with turns, tools, abandoned branches, subagents and compactions', async () => {
    expect(block(await print('md', '--branch', 'all'))).toMatchInlineSnapshot(`
      "
      <a id="s-s1"></a>

      # Fix the parser, then the lexer

      Session \`s1\`, project \`-home-dev-proj\`, 2026-01-01 10:00 to 2026-01-01 10:10, 16 messages, 1 abandoned branch, 2 subagents, \`claude-opus-4-8\`, $0.0018.

      ## 1. Fix the parser, then the lexer

      *2026-01-01 10:00, $0.0005*

      **Claude**

      I will start with the parser.

      **Bash**

      \`\`\`bash
      run t1
      \`\`\`

      \`\`\`
      result r1
      \`\`\`

      <a id="e-00000000-0000-4000-8000-000000006133"></a>

      The parser is fixed.

      *Left here: [abandoned attempt: Now the lexer, by hand](#e-00000000-0000-4000-8000-000000007532)*

      <a id="e-00000000-0000-4000-8000-000000007532"></a>

      ### Abandoned attempt

      [Back to where it was left](#e-00000000-0000-4000-8000-000000006133)

      #### Now the lexer, by hand

      *2026-01-01 10:00, $0.0002*

      **Claude**

      Rewriting it from scratch.

      *End of the abandoned attempt.*

      ## 2. Now the lexer, with two agents

      *2026-01-01 10:10, $0.0009*

      <a id="e-00000000-0000-4000-8000-000000006135"></a>

      **Task** \`general-purpose: task t2\`, see [the section of its agent Explore](#e-00000000-0000-4000-8000-000000007534)

      <a id="e-00000000-0000-4000-8000-000000006136"></a>

      **Task** \`general-purpose: task t3\`, see [the section of its agent reviewer](#e-00000000-0000-4000-8000-000000007535)

      <a id="e-00000000-0000-4000-8000-000000007534"></a>

      ### Agent Explore: Look for slow tokens

      [Back to its call](#e-00000000-0000-4000-8000-000000006135)

      > Look for slow tokens

      **Bash**

      \`\`\`bash
      run t4
      \`\`\`

      \`\`\`
      result r4
      \`\`\`

      **Explore**

      Two tokens are slow.

      *End of the agent Explore.*

      <a id="e-00000000-0000-4000-8000-000000007535"></a>

      ### Agent reviewer: Review the lexer

      [Back to its call](#e-00000000-0000-4000-8000-000000006136)

      > Review the lexer

      **reviewer**

      Looks fine.

      *End of the agent reviewer.*

      **Claude**

      Both agents are done.

      ---

      **Conversation compacted (100k -> 4k tokens, manual)**

      ---

      <details><summary>Summary</summary>

      > Parser and lexer are fixed.

      </details>

      ## 3. Thanks

      *2026-01-01 10:10, $0.0002*

      **Claude**

      You are welcome.

      "
    `)
  })

  it('has only the live conversation by default', async () => {
    const text = await print('md')
    expect(text).toContain('Now the lexer, with two agents')
    expect(text).not.toContain('by hand')
    expect(await print('md', '--no-agents', '--no-tools')).not.toMatch(/Two tokens|Bash|Task/)
  })

  it('of a branch has everything that leads to it, and nothing else', async () => {
    const text = await print('md', '--branch', '@00000000-0000-4000-8000-000000007532')
    expect(text).toContain('The parser is fixed.')
    expect(text).toContain('Rewriting it from scratch.')
    expect(text).not.toContain('two agents')
  })

  it('of an entry on an abandoned branch has that branch, with its own dates', async () => {
    const ran = await onRich(run => run('export', `s1:${tokenUuid('a4')}`, '--format', 'md', '--out', '-'))
    expect(ran.stdout).toBe(await print('md', '--branch', '@00000000-0000-4000-8000-000000007532'))
    expect(ran.stdout).toContain('Rewriting it from scratch.')
    expect(ran.stdout).toContain('2026-01-01 10:00 to 2026-01-01 10:00')
    expect(ran.stderr).toContain('The entry is not live: its branch @00000000')
    const live = await onRich(run => run('export', `s1:${tokenUuid('a10')}`, '--format', 'md', '--out', '-'))
    expect(live).toMatchObject({ stdout: await print('md'), stderr: '' })
  })

  it('of a subagent has its name', async () => {
    const text = await onRich(run => run('export', 's1#agent-x', '--format', 'md', '--out', '-').stdout)
    expect(text).toContain('Two tokens are slow.')
    expect(text).not.toContain('The parser is fixed.')
  })

  it('is a valid document, whatever the texts contain', async () => {
    const evil = '# Big\n<script>alert(1)</script> [x](javascript:alert(1)) `<b>`\n```js\nlet a = "<i>"\n'
    const output = `one\n\`\`\`\`\ntwo\n${'line\n'.repeat(500)}last`
    const records = [
      prompt('> hi <img src=x onerror=alert(1)>'),
      ...called('Bash', { command: 'x' }, output),
      answer({ type: 'text', text: evil }),
      prompt('next'),
    ]
    const text = await onFiles(
      [sessionFile('s1', records)],
      run => run('export', 's1', '--format', 'md', '--out', '-').stdout,
    )
    const code = text.replace(/^(`{3,})[^\n]*\n[\s\S]*?\n\1$/gm, '').replace(/`[^`\n]+`/g, '')
    const anchored = code.replace(/<a id="[es]-[\w-]+"><\/a>/g, '')
    expect(anchored).not.toMatch(/<(?!\/?(?:details|summary)>)[a-z/]/i)
    expect(code).not.toContain('(javascript:')
    expect(text).toContain('#### Big')
    expect(text).toContain('`<b>`')
    expect(text).toMatch(/^`{5}\none\n`{4}\ntwo$/m)
    expect(text).toMatch(/… \d+ lines left out …/)
    expect(text).toMatch(/let a = "<i>"\n\n?```\n\n## 2\. next\n\n\*[\d: -]+\*\n\n$/)
  })
})

describe('compactions in Markdown', () => {
  it('[C3] [C4] show their duration, and that they did not finish', async () => {
    const shape = `s1: u1 a1 c1+{"compactMetadata":{"trigger":"auto","preTokens":0,"durationMs":45210}} k1
      s1: k1 > u2 a2 c2+{"compactMetadata":{"trigger":"manual","preTokens":0}}
      s1: a2 > u3 a3`
    const text = await onShape(shape, run => run('export', 's1', '--format', 'md', '--out', '-').stdout)
    expect(text).toContain('---\n\n**Conversation compacted (auto, 45.2 s)**\n\n---')
    expect(text).toContain('\n\n*Compaction not finished (manual)*\n\n')
  })
})
