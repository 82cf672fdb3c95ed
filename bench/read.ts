// How fast and how small reading is, as ratios of one run: against the plain loop over whole files, and for one file
// of 5 GB with rows of 100 MB (`--giant`, needs that much room in the temporary folder).
// node bench/read.ts [FOLDER] [--giant]; without a folder, on generated files.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discover, readRows } from '@dagline/store'

const MEGABYTE = 1024 * 1024
const ROUNDS = 5

const folder = mkdtempSync(join(tmpdir(), 'dagline-bench-'))
try {
  if (process.argv.includes('--giant')) readGiantFile()
  else compareWithPlainLoop()
} finally {
  rmSync(folder, { recursive: true })
}

function compareWithPlainLoop(): void {
  const given = process.argv.slice(2).find(argument => !argument.startsWith('--'))
  const files = listFiles(given ?? generatedFolder())
  const plain = fastest(() => files.forEach(readPlainly))
  const rows = fastest(() => files.forEach(readByRows))
  console.log(
    `${files.length} files: plain loop ${plain} ms, readRows ${rows} ms, ratio ${(rows / plain).toFixed(2)}`,
  )
}

function listFiles(path: string): string[] {
  return discover([path]).flatMap(({ root, projects }) =>
    projects.flatMap(project => project.files.map(file => join(root, file.path))),
  )
}

function generatedFolder(): string {
  const row = `${JSON.stringify({ uuid: 'u', text: 'x'.repeat(2000), more: 'é'.repeat(20) })}\n`
  for (let i = 0; i < 100; i++) writeFileSync(join(folder, `${i}.jsonl`), row.repeat(1000))
  return folder
}

function readPlainly(path: string): number {
  const bytes = readFileSync(path)
  let characters = 0
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    characters += bytes.toString('utf8', start, end).length
    start = end + 1
  }
  return characters
}

function readByRows(path: string): void {
  readRows(path, () => {})
}

function fastest(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return Math.round(Math.min(...times))
}

function readGiantFile(): void {
  const path = join(folder, 'giant.jsonl')
  writeGiantRows(path)
  const before = process.memoryUsage().rss
  const start = performance.now()
  const { rows, bytes } = readRows(path, () => {})
  const seconds = (performance.now() - start) / 1000
  const megabytes = (process.resourceUsage().maxRSS * 1024 - before) / MEGABYTE
  console.log(
    `${rows} rows, ${Math.round(bytes / MEGABYTE)} MB: ${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB of memory`,
  )
}

function writeGiantRows(path: string): void {
  const item = `${JSON.stringify({ id: 'm', text: 'x "quoted" \\ é'.repeat(20_000) })},`
  const file = openSync(path, 'w')
  for (let row = 0; row < 50; row++) {
    writeSync(file, '{"parentUuid":"p","data":[')
    for (let written = 0; written < 100 * MEGABYTE; written += item.length) writeSync(file, item)
    writeSync(file, '0],"uuid":"u"}\n')
  }
  closeSync(file)
}
