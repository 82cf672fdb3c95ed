import { type FaultKind, findingInFile } from './fault.js'

const LARGE_ROW = 10 * 1024 * 1024
const LARGE_FILE = 50 * 1024 * 1024

/** D12: rows and files that slow everything down. */
export const oversized: FaultKind = {
  id: 'oversized',
  rule: 'D12',
  title: 'too large',
  meaning: 'A row has more than 10 MB, or the file more than 50: images, outputs of tools, progress.',
  cost: 'Claude Code takes long to start, needs much memory, and may freeze on resume.',
  remedy: '`dagline trim` writes a copy with shortened outputs and without images and progress rows.',
  fix: 'dagline trim SESSION --outputs 2000 --images --progress',
  find: ({ file: { bytes }, survey: { longest } }) => [
    ...(longest.bytes > LARGE_ROW
      ? [{ ...findingInFile('warning', `The row has ${megabytes(longest.bytes)}.`), row: longest.row }]
      : []),
    ...(bytes > LARGE_FILE ? [findingInFile('warning', `The file has ${megabytes(bytes)}.`)] : []),
  ],
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
