/**
 * O3: what each command prints with `--json`. The tables of docs/JSON.md and schema.json of the package are generated from these
 * types, the compiler holds the commands to them (`fields.ts`), and a test compares what they print.
 */
import type { BlameJson, CommitsJson } from './blame.js'
import type {
  ArchiveJson,
  ConfigJson,
  EditJson,
  ExportJson,
  HistoryJson,
  MvJson,
  NameJson,
  RestoreJson,
  ServeJson,
  SyncJson,
  TagJson,
} from './changes.js'
import type { DiffJson } from './comparison.js'
import type { ContextJson } from './context.js'
import type { BranchesJson, ExplainJson, LogJson, ShowJson, TailJson, TimelineJson } from './conversation.js'
import type { GraphJson } from './graph.js'
import type {
  CensusJson,
  DoctorJson,
  LsJson,
  SearchJson,
  StatsJson,
  TreeJson,
  UsageReportJson,
} from './history.js'
import type { HubJson } from './hub.js'
import type { AgentsJson, FilesJson, LessonsJson, NowJson, PromptsJson, SqlJson, WasteJson } from './lists.js'

/** What each command prints with `--json`: `Outputs['ls']`. Every object has `dagline`, the version of the format, besides. */
export interface Outputs {
  readonly ls: LsJson
  readonly tree: TreeJson
  readonly log: LogJson
  readonly show: ShowJson
  readonly explain: ExplainJson
  readonly branches: BranchesJson
  readonly timeline: TimelineJson
  readonly tail: TailJson
  readonly diff: DiffJson
  readonly context: ContextJson
  readonly agents: AgentsJson
  readonly files: FilesJson
  readonly prompts: PromptsJson
  readonly now: NowJson
  readonly lessons: LessonsJson
  readonly waste: WasteJson
  readonly blame: BlameJson
  readonly commits: CommitsJson
  readonly search: SearchJson
  readonly usage: UsageReportJson
  readonly sql: SqlJson
  readonly stats: StatsJson
  readonly graph: GraphJson
  readonly census: CensusJson
  readonly doctor: DoctorJson
  readonly hub: HubJson
  readonly repair: EditJson
  readonly checkout: EditJson
  readonly fork: EditJson
  readonly pick: EditJson
  readonly trim: EditJson
  readonly split: EditJson
  readonly history: HistoryJson
  readonly undo: HistoryJson
  readonly mv: MvJson
  readonly archive: ArchiveJson
  readonly restore: RestoreJson
  readonly export: ExportJson
  readonly sync: SyncJson
  readonly config: ConfigJson
  readonly name: NameJson
  readonly tag: TagJson
  readonly note: NameJson
  readonly open: ServeJson
  readonly serve: ServeJson
}
