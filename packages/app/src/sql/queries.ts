/** Y7: built-in queries. They are plain SQL, so that other engines than DuckDB understand most of them. */

/** A query with a name. */
interface BuiltInQuery {
  readonly name: string
  /** The question that it answers. */
  readonly about: string
  readonly sql: string
}

export const BUILT_IN_QUERIES: readonly BuiltInQuery[] = [
  query(
    'cost-by-project',
    'What did each project cost in each month?',
    `SELECT project, month, count(*) AS messages, sum(output) AS output, round(sum(cost_usd), 2) AS cost_usd
FROM usage GROUP BY project, month ORDER BY project, month`,
  ),
  query(
    'cost-by-model',
    'Which models were used, and what did they cost?',
    `SELECT model, count(*) AS messages, sum(input + cache_read + cache_write_5m + cache_write_1h) AS prompt_tokens,
  sum(output) AS output, round(sum(cost_usd), 2) AS cost_usd
FROM usage GROUP BY model ORDER BY cost_usd DESC NULLS LAST, model`,
  ),
  query(
    'cost-by-branch',
    'How much went into what is live, and how much into abandoned branches?',
    `SELECT u.status, count(*) AS messages, sum(u.output) AS output, round(sum(u.cost_usd), 2) AS cost_usd,
  round(100 * sum(u.cost_usd) / (SELECT sum(usage.cost_usd) FROM usage), 1) AS percent
FROM usage u GROUP BY u.status ORDER BY cost_usd DESC NULLS LAST, u.status`,
  ),
  query(
    'abandoned-work',
    'Which abandoned branches cost the most, and what was asked on them?',
    `SELECT b.line, b.project, u.messages, u.cost_usd, b.prompt
FROM branches b
JOIN (
  SELECT line, count(*) AS messages, round(sum(cost_usd), 2) AS cost_usd
  FROM usage WHERE status = 'abandoned' GROUP BY line
) u ON u.line = b.line
ORDER BY u.cost_usd DESC NULLS LAST, b.line LIMIT 20`,
  ),
  query(
    'subagents-by-type',
    'Which types of subagents were called, how did they end, and what did they cost?',
    `SELECT s.name, count(*) AS calls, sum(CASE WHEN s.state = 'complete' THEN 1 ELSE 0 END) AS complete,
  sum(s.tool_calls) AS tool_calls, sum(s.errors) AS errors, round(sum(s.duration_ms) / 60000.0, 1) AS minutes,
  round(sum(u.cost_usd), 2) AS cost_usd
FROM subagents s
LEFT JOIN (
  SELECT session, agent, sum(cost_usd) AS cost_usd FROM usage WHERE agent IS NOT NULL GROUP BY session, agent
) u ON u.session = s.session AND u.agent = s.agent
GROUP BY s.name ORDER BY calls DESC, s.name`,
  ),
  query(
    'failing-tools',
    'Which tools fail most often?',
    `SELECT tool, count(*) AS calls, sum(CASE WHEN ending = 'error' THEN 1 ELSE 0 END) AS errors,
  sum(CASE WHEN ending = 'denied' THEN 1 ELSE 0 END) AS denied,
  round(100.0 * sum(CASE WHEN ending = 'error' THEN 1 ELSE 0 END) / count(*), 1) AS error_percent
FROM tool_calls GROUP BY tool ORDER BY errors DESC, tool LIMIT 30`,
  ),
  query(
    'slow-tools',
    'Which tools took the most time, with the time that they waited for permission?',
    `SELECT tool, count(*) AS calls, round(avg(duration_ms) / 1000, 1) AS mean_seconds,
  round(max(duration_ms) / 1000.0, 1) AS longest_seconds, round(sum(duration_ms) / 60000.0, 1) AS minutes
FROM tool_calls WHERE duration_ms >= 0 GROUP BY tool ORDER BY minutes DESC, tool LIMIT 30`,
  ),
  query(
    'longest-sessions',
    'Which sessions have the most turns?',
    `SELECT s.session, s.project, s.turns, s.branches, s.subagents, s.compactions, round(u.cost_usd, 2) AS cost_usd,
  coalesce(s.title, s.prompt) AS title
FROM sessions s
LEFT JOIN (SELECT session, sum(cost_usd) AS cost_usd FROM usage GROUP BY session) u ON u.session = s.session
WHERE NOT s.idle ORDER BY s.turns DESC, s.session LIMIT 20`,
  ),
  query(
    'shared-history',
    'How much of each transcript repeats what another session owns?',
    `SELECT session, project, count(*) AS entries, sum(CASE WHEN owned THEN 0 ELSE 1 END) AS shared,
  round(100.0 * sum(CASE WHEN owned THEN 0 ELSE 1 END) / count(*), 1) AS percent
FROM membership GROUP BY session, project
HAVING sum(CASE WHEN owned THEN 0 ELSE 1 END) > 0 ORDER BY shared DESC, session, project LIMIT 30`,
  ),
  query(
    'files-touched',
    'Which files were read and changed most?',
    `SELECT path, sum(CASE WHEN action = 'read' THEN 1 ELSE 0 END) AS reads,
  sum(CASE WHEN action IN ('edit', 'write') THEN 1 ELSE 0 END) AS changes, count(DISTINCT session) AS sessions
FROM files GROUP BY path ORDER BY changes DESC, reads DESC, path LIMIT 30`,
  ),
  query(
    'cache',
    'How much of what was sent came from the cache, month by month?',
    `SELECT month, model, count(*) AS messages,
  round(100.0 * sum(cache_read) / nullif(sum(input + cache_read + cache_write_5m + cache_write_1h), 0), 1) AS read_percent,
  sum(cache_write_5m) AS written_5m, sum(cache_write_1h) AS written_1h
FROM usage GROUP BY month, model ORDER BY month, messages DESC, model`,
  ),
  query(
    'compactions',
    'When were conversations compacted, and how much was left?',
    `SELECT month, "trigger", count(*) AS compactions, round(avg(tokens_before), 1) AS tokens_before,
  round(avg(tokens_after), 1) AS tokens_after, sum(CASE WHEN summary IS NULL THEN 1 ELSE 0 END) AS unfinished
FROM compactions GROUP BY month, "trigger" ORDER BY month, "trigger"`,
  ),
  query(
    'queued-input',
    'What became of messages that were typed during a turn?',
    `SELECT became, count(*) AS messages FROM queue WHERE operation = 'enqueue'
GROUP BY became ORDER BY messages DESC, became`,
  ),
]

function query(name: string, about: string, sql: string): BuiltInQuery {
  return { name, about, sql }
}
