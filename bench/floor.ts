/** The floor that the benchmarks compare with: every row of a folder through JSON.parse once, on one thread. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2] ?? '.'
let rows = 0
for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
  if (!entry.name.endsWith('.jsonl')) continue
  const bytes = readFileSync(join(entry.parentPath, entry.name))
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start)
    const end = newline < 0 ? bytes.length : newline
    try {
      JSON.parse(bytes.toString('utf8', start, end))
    } catch {
      // A damaged row costs the attempt.
    }
    rows++
    start = end + 1
  }
}
console.log(rows)
