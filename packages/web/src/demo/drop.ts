/** Files that a visitor gives: dropped, also as folders, or chosen. */
import type { GivenFile } from '@dagline/core/open'

/** Only these are transcripts, or belong to one. */
const WANTED = /\.(?:jsonl|json|txt)$/

/** Folders that hold no transcripts, and far too many files. */
const PASSED_OVER = new Set(['node_modules', '.git'])

/** The files that were dropped, those in folders included. Must be called while the event is handled. */
export async function filesDropped(data: DataTransfer): Promise<readonly GivenFile[]> {
  // The list is emptied once the handler returns: everything is taken first. Only files on a disk have an entry.
  const taken = [...data.items].map(item => item.webkitGetAsEntry() ?? item.getAsFile())
  const files = taken.map(async each =>
    each instanceof File ? [each] : each === null ? [] : await filesIn(each),
  )
  return (await Promise.all(files)).flat()
}

/** The files that were chosen, or those of the folder that was. */
export function filesChosen(files: Iterable<File>): readonly GivenFile[] {
  return [...files].filter(({ name }) => WANTED.test(name))
}

async function filesIn(entry: FileSystemEntry): Promise<readonly GivenFile[]> {
  if (entry instanceof FileSystemFileEntry)
    return isAlone(entry) || WANTED.test(entry.name) ? [await fileOf(entry)] : []
  if (!(entry instanceof FileSystemDirectoryEntry) || PASSED_OVER.has(entry.name)) return []
  const inside = await entriesIn(entry)
  return (await Promise.all(inside.map(filesIn))).flat()
}

/** A file that was dropped by itself is meant, whatever its name. */
function isAlone({ fullPath }: FileSystemEntry): boolean {
  return fullPath.lastIndexOf('/') === 0
}

async function fileOf(entry: FileSystemFileEntry): Promise<GivenFile> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
  return { path: entry.fullPath, bytes: file }
}

/** A reader gives the entries of a folder in parts, the last of which is empty. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (part.length === 0) return all
    all.push(...part)
  }
}
