// How fast and how small reading is, as ratios of one run: against the plain loop over whole files, and for one file
// of 5 GB with rows of 100 MB (`--giant`, needs that much room in the temporary folder).
// node bench/read.ts [FOLDER] [--giant]; without a folder, on generated files.
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { discover, readRows } from '@dagline/store'
import { leastTimeOf, print, seconds, temporaryFolder, timeOf } from './measure.ts'

const MEGABYTE = 1024 * 1024
const folder = temporaryFolder()
if (process.argv.includes('--giant')) readGiantFile()
else compareWithPlainLoop()

function compareWithPlainLoop(): void {
  const given = process.argv.slice(2).find(argument => !argument.startsWith('--'))
  const files = listFiles(given ?? generatedFolder())
  const plain = leastTimeOf(() => files.forEach(readPlainly))
  const rows = leastTimeOf(() => {
    for (const file of files) readRows(file, () => {})
  })
  const times = `plain loop ${seconds(plain)}, readRows ${seconds(rows)}`
  print(`${files.length} files`, `${times}, ratio ${(rows / plain).toFixed(2)}`)
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

function readGiantFile(): void {
  const path = join(folder, 'giant.jsonl')
  writeGiantRows(path)
  const before = process.memoryUsage().rss
  const time = timeOf(() => readRows(path, () => {}))
  const memory = (process.resourceUsage().maxRSS * 1024 - before) / MEGABYTE
  const size = Math.round(statSync(path).size / MEGABYTE)
  print(`one file of ${size} MB`, `${seconds(time)}, ${Math.round(memory)} MB of memory`)
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
