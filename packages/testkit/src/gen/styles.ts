/** The writing styles of the generator: how a CLI of each version puts a conversation on disk. */

/** A recorded CLI version, or `seed` for the vocabulary of the seed documents. */
export type StyleName = 'seed' | '1.0.66' | '2.0.64' | '2.1.41' | '2.1.101' | '2.1.197' | '2.1.325'

/** One way of writing. Every field is a difference that the recordings show between versions. */
export interface Style {
  readonly name: StyleName
  readonly model: string
  /** `human`, `tool_result`, `compact_prelude` instead of the real types. */
  readonly words: 'real' | 'seed'
  /** One row per content block, or one row per message. */
  readonly split: boolean
  /** A result hangs on its own call, or on the row before it. */
  readonly results: 'tree' | 'linear'
  /** A fast result may be written while later parts of its message still stream. */
  readonly earlyResults: boolean
  readonly agents: 'inline' | 'flat' | 'nested'
  readonly agentIdDigits: number
  readonly meta: 'none' | 'type' | 'link' | 'full'
  readonly nestedAgents: boolean
  readonly background: boolean
  readonly warmup: boolean
  readonly spawnTool: 'Task' | 'Agent'
  readonly resume: 'copy' | 'append'
  readonly hooks: 'none' | 'progress' | 'attachment'
  /** Attachments behind the first prompt, and those that come now and then. */
  readonly opening: readonly string[]
  readonly reminders: readonly string[]
  readonly turnDuration: boolean
  /** Queue rows around a headless prompt. */
  readonly headlessQueue: 'none' | 'dequeue' | 'both'
  /** Prompts that wait between turns: one entry each, or merged into one. */
  readonly waiting: 'none' | 'each' | 'merge'
  /** Prompts that arrive in mid turn: no trace in the chain, or a queued_command attachment. */
  readonly midTurn: 'none' | 'silent' | 'attachment'
  readonly compaction: 'root' | 'boundary' | 'seed'
  readonly preserves: boolean
  /** How often `logicalParentUuid` names an entry that was never written. */
  readonly lostLogicalParent: number
  /** `--fork-session`: not known, copies keep their session id, or it is rewritten. */
  readonly fork: 'none' | 'keep' | 'rewrite'
  readonly branch: boolean
  readonly rewind: boolean
  /** Esc before any output: an interrupt note behind the prompt, or a childless sibling. */
  readonly takenBack: 'note' | 'sibling'
  /** After a kill: unanswered calls stay as they are, or get made-up results on resume. */
  readonly killed: 'drop' | 'made-up'
  /** Usage on the parts of a message: as the stream began, or final on each. */
  readonly usage: 'start' | 'final'
  readonly notes: readonly string[]
  /** A prompt's row may stand behind the row of its answer. */
  readonly lateRows: boolean
  /** Notices of failed requests are sent as the model's words, from the next turn on (L7). */
  readonly sendsNotices: boolean
}

const OLDEST: Style = {
  name: '1.0.66',
  model: 'claude-sonnet-4-20250514',
  words: 'real',
  split: true,
  results: 'linear',
  earlyResults: false,
  agents: 'inline',
  agentIdDigits: 8,
  meta: 'none',
  nestedAgents: false,
  background: false,
  warmup: false,
  spawnTool: 'Task',
  resume: 'copy',
  hooks: 'none',
  opening: [],
  reminders: [],
  turnDuration: false,
  headlessQueue: 'none',
  waiting: 'none',
  midTurn: 'none',
  compaction: 'root',
  preserves: false,
  lostLogicalParent: 0,
  fork: 'none',
  branch: false,
  rewind: false,
  takenBack: 'note',
  killed: 'drop',
  usage: 'start',
  notes: [],
  lateRows: false,
  sendsNotices: true,
}

const FLAT: Style = {
  ...OLDEST,
  name: '2.0.64',
  sendsNotices: false,
  model: 'claude-sonnet-4-5-20250929',
  agents: 'flat',
  warmup: true,
  resume: 'append',
  headlessQueue: 'dequeue',
  waiting: 'each',
  midTurn: 'silent',
  compaction: 'boundary',
  fork: 'keep',
  rewind: true,
  notes: ['file-history-snapshot'],
}

const PROGRESS: Style = {
  ...FLAT,
  name: '2.1.41',
  model: 'claude-opus-4-6',
  results: 'tree',
  agents: 'nested',
  agentIdDigits: 7,
  background: true,
  warmup: false,
  hooks: 'progress',
  turnDuration: true,
  lostLogicalParent: 0.3,
  takenBack: 'sibling',
  notes: ['file-history-snapshot', 'custom-title'],
}

const ATTACHMENTS: Style = {
  ...PROGRESS,
  name: '2.1.101',
  model: 'claude-sonnet-4-6',
  agentIdDigits: 17,
  meta: 'type',
  nestedAgents: true,
  spawnTool: 'Agent',
  hooks: 'attachment',
  opening: ['skill_listing'],
  reminders: ['todo_reminder'],
  headlessQueue: 'both',
  waiting: 'merge',
  midTurn: 'attachment',
  lostLogicalParent: 0,
  fork: 'rewrite',
  branch: true,
  usage: 'final',
  notes: ['file-history-snapshot', 'last-prompt', 'ai-title', 'permission-mode', 'custom-title'],
}

const PRESERVING: Style = {
  ...ATTACHMENTS,
  name: '2.1.197',
  model: 'claude-opus-4-8',
  earlyResults: true,
  meta: 'link',
  opening: ['agent_listing_delta', 'skill_listing'],
  reminders: ['task_reminder'],
  preserves: true,
  notes: [...ATTACHMENTS.notes, 'mode'],
  lateRows: true,
}

const NEWEST: Style = {
  ...PRESERVING,
  name: '2.1.325',
  model: 'claude-opus-5-5',
  meta: 'full',
  opening: [
    'environment',
    'model',
    'deferred_tools_delta',
    'agent_listing_delta',
    'skill_listing',
    'auto_mode',
  ],
  reminders: ['total_tokens_reminder', 'prompt_snapshot'],
  killed: 'made-up',
  notes: [...PRESERVING.notes, 'atis-latch', 'tools-used', 'api-request'],
  lateRows: false,
}

const SEED: Style = {
  ...OLDEST,
  name: 'seed',
  sendsNotices: false,
  words: 'seed',
  split: false,
  compaction: 'seed',
  rewind: true,
  resume: 'append',
}

/** All styles by name. */
export const STYLES: Readonly<Record<StyleName, Style>> = {
  seed: SEED,
  '1.0.66': OLDEST,
  '2.0.64': FLAT,
  '2.1.41': PROGRESS,
  '2.1.101': ATTACHMENTS,
  '2.1.197': PRESERVING,
  '2.1.325': NEWEST,
}

/** The names of all styles, oldest vocabulary first. */
export const STYLE_NAMES: readonly StyleName[] = [
  'seed',
  '1.0.66',
  '2.0.64',
  '2.1.41',
  '2.1.101',
  '2.1.197',
  '2.1.325',
]
