/** Tools that measure and examine. */
import { cleanLine } from '@dagline/core/content'
import { count, exactMoney, plural, shortId } from '@dagline/core/format'
import { tokensIn, USAGE_KEYS } from '@dagline/core/measure'
import { z } from 'zod'
import { defineTool, FROM, MAX_TOKENS, SCOPE, SESSION, type Tool, text } from '../tool.js'

export const usage: Tool = defineTool({
  name: 'usage',
  title: 'Tokens and cost',
  description:
    'Tokens and cost at list prices, by day, week, month, project, session or model. Each API message counts once.',
  input: z.object({
    by: z.enum(USAGE_KEYS).default('day').describe('What a row stands for.'),
    session: text(SESSION),
    ...SCOPE,
    from: FROM,
    max_tokens: MAX_TOKENS,
  }),
  run: async (history, { by, session = null, project = null, since = null, until = null, from }) => {
    const { tally } = await history.usageReport([], { by, session, project, since, until, branch: null })
    const { totals, groups } = tally
    return {
      head: [
        `${plural(totals.messages, 'API message')}, ${count(tokensIn(totals))} tokens (${count(totals.output)} output), ${exactMoney(totals.cost)}.`,
      ],
      items: groups.map(
        group =>
          `- ${cleanLine(group.key)} | ${plural(group.messages, 'message')} | ${count(tokensIn(group))} tokens | ${exactMoney(group.cost)}`,
      ),
      names: ['row', 'rows'],
      from,
    }
  },
})

export const doctor: Tool = defineTool({
  name: 'doctor',
  title: 'Check sessions',
  description:
    'Says what is wrong with a session or with all: what a resume would lose, and which dagline command repairs it. Nothing is changed.',
  input: z.object({
    session: text(`${SESSION} Without it: all sessions.`),
    from: FROM,
    max_tokens: MAX_TOKENS,
  }),
  run: async (history, { session = null, from }) => {
    const examined = await history.health(session)
    const ill = examined.filter(({ faults }) => faults.some(({ severity }) => severity !== 'info'))
    return {
      head: [`${plural(examined.length, 'session')} examined, ${count(ill.length)} with problems.`],
      items: ill.flatMap(({ session: id, coverage, faults }) => [
        `- ${shortId(id)} | a resume loads ${coverage.now} of ${coverage.possible} entries`,
        ...faults.map(
          ({ id: kind, severity, message, fix }) =>
            `  ${severity} ${kind}: ${cleanLine(message)}${fix === null ? '' : ` Repair: ${fix}`}`,
        ),
      ]),
      names: ['line', 'lines'],
      from,
    }
  },
})
