/** What commands that write print with `--json`. */
import type { FromFiles } from './shared.js'

/** A session that was written, or would be. */
export interface EditJson {
  /** The new session. */
  readonly session: string
  /** Its title. */
  readonly title?: string | null
  /** Its transcript. */
  readonly file: string
  /** What it was made from. */
  readonly from: {
    /** The session. */
    readonly session: string | null
    /** The entry. */
    readonly node: string | null
  }
  /** The entries that a resume of it loads. */
  readonly live: readonly string[]
  /** What was changed. */
  readonly changes: readonly {
    /** What was done. */
    readonly what: string
    /** The entry. */
    readonly node: string | null
    /** Its row in the source, from 1. */
    readonly row: number | null
    /** Why. */
    readonly why: string
  }[]
  /** How many entries a resume loads. */
  readonly reach: {
    /** Of the source. */
    readonly before: number
    /** Of the result. */
    readonly after: number
  }
  /** The command that resumes it. */
  readonly resume: string
  /** The number of the edit, for `undo`; null where nothing was written. */
  readonly edit: number | null
  /** Of a repair: entries that a resume loads today and would no longer load. */
  readonly gone?: readonly string[]
  /** Of a repair of everything: how much of the conversation a resume loads, in the numbers of `doctor`. */
  readonly coverage?: {
    /** Entries of the conversation that it loads today. */
    readonly now: number
    /** Entries of the conversation that it loads of the result. */
    readonly after: number
    /** Entries of the conversation. */
    readonly possible: number
    /** Entries that the repair added and that it loads, too. */
    readonly added: number
  }
  /** Of `trim`: what was saved. */
  readonly saved?: {
    /** Tokens, estimated. */
    readonly tokens: number
    /** Characters. */
    readonly characters: number
    /** Images. */
    readonly images: number
  }
  /** Of `split`: both sessions. */
  readonly parts?: readonly EditJson[]
}

/** Edits, the newest first. */
export interface HistoryJson {
  /** The edits. */
  readonly edits: readonly {
    /** The number of the edit. */
    readonly edit: number
    /** When it was made. */
    readonly time: string | null
    /** The command that made it. */
    readonly command: string
    /** What became of it. */
    readonly state: string
    /** The session that it wrote. */
    readonly session: string
    /** The session that it was made from. */
    readonly from: string
    /** The title of the new session; null where it was changed in place. */
    readonly title: string | null
    /** The files that it wrote. */
    readonly files: readonly {
      /** The path. */
      readonly path: string
      /** The size. */
      readonly bytes: number
      /** Whether there was a file before, which is kept. */
      readonly replaced: boolean
    }[]
  }[]
}

/** A project that was moved, or would be. */
export interface MvJson {
  /** The old path. */
  readonly from: string
  /** The new path. */
  readonly to: string
  /** Whether it was moved. */
  readonly made: boolean
  /** What is changed in each root. */
  readonly roots: readonly MovedRootJson[]
}

/** What a move changes in one root. */
export interface MovedRootJson {
  /** The root. */
  readonly root: string
  /** Folders that get another name. */
  readonly folders: readonly {
    /** The old path. */
    readonly from: string
    /** The new path. */
    readonly to: string
  }[]
  /** Sessions. */
  readonly sessions: number
  /** Files. */
  readonly files: number
  /** Files that move. */
  readonly moved: number
  /** Files that change. */
  readonly changed: number
  /** Rows that change. */
  readonly rows: number
  /** Paths in them. */
  readonly values: number
  /** The size of the files. */
  readonly bytes: number
  /** The files. */
  readonly changes: readonly {
    /** What it is. */
    readonly kind: string
    /** Where it is. */
    readonly path: string
    /** Where it goes. */
    readonly target: string
    /** Its rows. */
    readonly rows: number
    /** Rows that change. */
    readonly changedRows: number
    /** Paths in them. */
    readonly values: number
    /** Its size. */
    readonly bytes: number
  }[]
  /** Files that stay, and why. */
  readonly left: readonly {
    /** The path. */
    readonly path: string
    /** Why. */
    readonly why: string
  }[]
  /** Files that are in the way. */
  readonly clashes: readonly string[]
}

/** What was archived. `archive stats`, `verify`, `forget` and `hold` have outputs of their own. */
export type ArchiveJson = KeptJson | ArchiveStatsJson | ArchiveCheckJson | ForgetJson | HoldJson

/** What was archived. */
export interface KeptJson {
  /** The archive. */
  readonly archive: string
  /** Files that were there. */
  readonly files: number
  /** Files that had not changed. */
  readonly unchanged: number
  /** Files that were not known before. */
  readonly added: number
  /** Files that had grown. */
  readonly grown: number
  /** Files that were cut, rewritten or replaced; their earlier versions stay. */
  readonly replaced: number
  /** Files of forgotten sessions, which are not kept. */
  readonly forgotten: number
  /** Bytes that were stored, before they were packed. */
  readonly stored: number
  /** Bytes that were new, those included that the archive had already. */
  readonly fresh: number
  /** What could not be archived. */
  readonly diagnostics: readonly {
    /** The rule. */
    readonly rule: string
    /** The file. */
    readonly file: string
    /** What happened. */
    readonly message: string
  }[]
  /** Sessions that Claude Code deletes soon. */
  readonly sweptSoon: readonly SweptJson[]
  /** What the archive has now. */
  readonly holds: ArchiveFiguresJson
}

/** A session that Claude Code deletes soon. */
export interface SweptJson {
  /** The session. */
  readonly session: string
  /** The root. */
  readonly root: string
  /** Its transcript, below the root. */
  readonly file: string
  /** Its size. */
  readonly bytes: number
  /** When it may be deleted. */
  readonly due: string | null
  /** In `archive stats`: whether the archive has all of it. */
  readonly kept?: boolean
}

/** What an archive has. */
export interface ArchiveFiguresJson {
  /** Files. */
  readonly files: number
  /** Sessions. */
  readonly sessions: number
  /** Versions of files. */
  readonly versions: number
  /** Blocks that rows are packed in. */
  readonly blocks: number
  /** Bytes of the files as they were last read. */
  readonly bytes: number
  /** The same with all earlier versions. */
  readonly allBytes: number
  /** Bytes of different rows and files. */
  readonly different: number
  /** The same packed. */
  readonly packed: number
  /** Bytes of the archive on disk. */
  readonly disk: number
  /** Bytes that are saved. */
  readonly saved: number
  /** When the first version was read. */
  readonly first: string | null
  /** When the last version was read. */
  readonly last: string | null
}

/** What the archive has, and which sessions only it has. */
export interface ArchiveStatsJson extends ArchiveFiguresJson {
  /** The archive. */
  readonly archive: string
  /** Sessions that are no longer on disk. */
  readonly archivedOnly: readonly {
    /** The session. */
    readonly session: string | null
    /** The root. */
    readonly root: string
    /** Its transcript, below the root. */
    readonly file: string
  }[]
  /** Sessions that were forgotten, and are not kept again. */
  readonly forgotten: readonly MarkedJson[]
  /** Sessions that cannot be forgotten. */
  readonly held: readonly MarkedJson[]
  /** Sessions that Claude Code deletes soon. */
  readonly sweptSoon: readonly SweptJson[]
}

/** A session that is forgotten or held. */
export interface MarkedJson {
  /** The session. */
  readonly session: string
  /** Since when. */
  readonly since: string | null
}

/** What was forgotten, or would be. */
export interface ForgetJson {
  /** The archive. */
  readonly archive: string
  /** Whether it was done; false with `--dry-run`, or where there was nothing to forget. */
  readonly made: boolean
  /** The sessions. */
  readonly sessions: readonly string[]
  /** Their files. */
  readonly files: readonly {
    /** The session. */
    readonly session: string | null
    /** The root. */
    readonly root: string
    /** The path below the root. */
    readonly file: string
    /** The size of the last version. */
    readonly bytes: number
    /** How many versions are forgotten. */
    readonly versions: number
  }[]
  /** Versions of all files. */
  readonly versions: number
  /** Bytes of all versions. */
  readonly bytes: number
  /** Bytes of rows and files that nothing else in the archive has: they are erased. */
  readonly erased: number
  /** Bytes of rows and files that other files have, too: they stay. */
  readonly shared: number
  /** The sessions of those files. */
  readonly sharedWith: readonly string[]
  /** Those of the sessions that exist in the archive only. */
  readonly archivedOnly: readonly string[]
  /** Sessions that are old enough, but held. */
  readonly held: readonly string[]
  /** Why unused pages of the archive may still have some of the bytes; null where they have not. */
  readonly traces: string | null
  /** The index, whose file may have copies of texts until it is made anew; null where there is none, or where it was deleted. */
  readonly index: string | null
}

/** A session that is held, or no longer. */
export interface HoldJson {
  /** The archive. */
  readonly archive: string
  /** The session. */
  readonly session: string
  /** Whether it is held now. */
  readonly held: boolean
}

/** Whether every byte of the archive is what it was. */
export interface ArchiveCheckJson {
  /** The archive. */
  readonly archive: string
  /** Files. */
  readonly files: number
  /** Versions. */
  readonly versions: number
  /** Blocks. */
  readonly blocks: number
  /** Bytes of all versions. */
  readonly bytes: number
  /** Files that are damaged. */
  readonly faults: readonly {
    /** Where the original was. */
    readonly place: string
    /** Its session. */
    readonly session: string | null
    /** The version, from 1. */
    readonly version: number
    /** What was found. */
    readonly message: string
  }[]
  /** Blocks that are damaged. */
  readonly damagedBlocks: readonly number[]
  /** What is wrong with the file as a database. */
  readonly structure: readonly string[]
}

/** Files that were restored. */
export interface RestoreJson {
  /** The session. */
  readonly session: string
  /** Its files. */
  readonly files: readonly {
    /** The path that the archive has. */
    readonly file: string
    /** Where it was written. */
    readonly target: string
    /** The version, from 1. */
    readonly version: number
    /** The size. */
    readonly bytes: number
    /** Whether it was written, was there, or is there with other bytes. */
    readonly outcome: 'written' | 'same' | 'differs'
  }[]
}

/** Files that were exported. */
export interface ExportJson {
  /** With `--all`: what was written of the tables. */
  readonly tables?: {
    /** The folder, or the address of the bucket. */
    readonly folder: string
    /** Files that were written. */
    readonly written: number
    /** Files that are as they were. */
    readonly unchanged: number
    /** Files that are gone, because no row is left for them. */
    readonly removed: number
    /** Rows that were written. */
    readonly rows: number
    /** Bytes that were written. */
    readonly bytes: number
  }
  /** The files. */
  readonly files: readonly {
    /** The path. */
    readonly path: string
    /** The size. */
    readonly bytes: number
  }[]
  /** With `--redact`: what was replaced, by kind. */
  readonly redacted:
    | readonly {
        /** The kind. */
        readonly kind: string
        /** How often. */
        readonly count: number
        /** How many different ones. */
        readonly different: number
      }[]
    | null
  /** With `--redact`: likely secrets that are left. */
  readonly left: number | null
  /** With `--redact`: the same in words. */
  readonly note: string | null
}

/** What was read into the index. */
export interface SyncJson extends FromFiles {
  /** The index. */
  readonly index: string
  /** Files that are there. */
  readonly files: number
  /** Files that were read. */
  readonly read: number
  /** Files that are gone. */
  readonly removed: number
  /** Rows that were read. */
  readonly rows: number
  /** Bytes that were read. */
  readonly bytes: number
  /** How long it took, in milliseconds. */
  readonly ms: number
}

/** A name, tags and a note. */
export interface LabelJson {
  /** What they were given to. */
  readonly kind: 'session' | 'branch' | 'agent' | 'entry'
  /** Its id. */
  readonly id: string
  /** The session that it belongs to. */
  readonly session: string
  /** The name. */
  readonly name: string | null
  /** The tags, without `#`. */
  readonly tags: readonly string[]
  /** The note. */
  readonly note: string | null
}

/** All names or notes; with a REF that of one session, branch, subagent or entry. */
export type NameJson = LabelJson | LabelsJson

/** Everything that has a name, or everything that has a note. */
export interface LabelsJson {
  /** By name, or by id. */
  readonly labels: readonly LabelJson[]
}

/** All tags; with a REF those of one session, branch, subagent or entry. */
export type TagJson = LabelJson | TagsJson

/** How often each tag was given. */
export interface TagsJson {
  /** The tags. */
  readonly tags: readonly {
    /** The tag. */
    readonly tag: string
    /** How often. */
    readonly count: number
  }[]
}

/** Where the viewer is. */
export interface ServeJson {
  /** The address. It works once. */
  readonly url: string
  /** The port. */
  readonly port: number
  /** The token for programs, as `Authorization: Bearer TOKEN`. */
  readonly token: string
}

/** The settings. */
export interface ConfigJson {
  /** The file that holds them. */
  readonly file: string
  /** All settings; with a key that one. */
  readonly settings: readonly SettingJson[]
  /** What is wrong with the file. */
  readonly problems: readonly string[]
}

/** A setting. */
export interface SettingJson {
  /** Its name. */
  readonly key: string
  /** Its value as text; null where it has none. */
  readonly value: string | null
  /** Where the value is from. */
  readonly source: 'variable' | 'file' | 'default'
  /** The variable that counts before the file. */
  readonly variable: string
  /** What it is for. */
  readonly about: string
}
