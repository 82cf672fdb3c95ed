/** Tokens, cost, statistics and comparisons. */

export type { MessageUsage, Undercount, UsageBucket, UsageRow, UsageStatus } from '../model/billing.js'
export { type Activity, activityOf, type Doing, type OpenCall, queuedIn } from './activity.js'
export { type ListedAgent, listAgents } from './agent-list.js'
export { type AgentRun, measureAgents, type SessionAgents } from './agent-runs.js'
export { type AgentStats, joinAgents } from './agents.js'
export { blocksOf, type UsageBlock } from './blocks.js'
export { listComparable } from './comparable.js'
export {
  type CallWords,
  type ComparedPath,
  type CompareOptions,
  compareApart,
  compareLines,
  timesOf,
} from './compare.js'
export {
  conversationFiles,
  drawBand,
  isSameConversation,
  listConversations,
  measureConversation,
} from './context-band.js'
export {
  type ContextTokens,
  contextWindow,
  type EntryTokens,
  estimateTokens,
  type MeasuredContext,
  measureContexts,
  promptTokens,
  type SharedEntry,
  shareByEntry,
  type TokenCategory,
  type TokensOf,
} from './context-tokens.js'
export { costOf, createPricer, type Pricer } from './cost.js'
export { type DelegationStats, joinDelegation } from './delegation.js'
export { droppedBy } from './dropped.js'
export type { CompactionStats, LeftStats, LostPrompt, QueueStats, RewindStats } from './events.js'
export type { FlowKind, FlowStats } from './flows.js'
export { idleSessions } from './idle.js'
export { askedInstead, firstAsked } from './instead.js'
export { findLeftOut } from './left-out.js'
export { type HistoryPart, measureCost, type PartCost } from './part-cost.js'
export { nodeNamed, pathFrom, pathThrough } from './paths.js'
export type { PatternKind, PatternStats } from './patterns.js'
export {
  LIST_PRICES,
  type LongRates,
  MODEL_PRICES,
  type ModelPrice,
  modelFamily,
  type OwnPrice,
  PRICES_AS_OF,
  type PricePeriod,
  type Prices,
  pricesBasis,
  pricesWith,
  type Rates,
  TOKEN_KINDS,
} from './prices.js'
export { addFields, type Counts, type Durations, quantileOf } from './rows.js'
export { countLostCalls, type MeasureOptions } from './scope.js'
export type { Spent } from './spent.js'
export { joinStats, measureGraph, mergeStats, noStats, type Stats, type StatsTotals } from './stats.js'
export { fileAction, type ToolStats } from './tools.js'
export {
  type DayOf,
  tallyBuckets,
  tallyUsage,
  tokensIn,
  USAGE_KEYS,
  type UsageGroup,
  type UsageKey,
  type UsageSum,
  type UsageTally,
} from './usage.js'
export { gatherDays, gatherUsage } from './usage-buckets.js'
export {
  addUsage,
  assignUsage,
  branchLineOf,
  branchOf,
  lineSession,
  mergeRows,
  mergeUsage,
  type ProjectOf,
  type UsagePart,
  uniqueMessages,
} from './usage-messages.js'
