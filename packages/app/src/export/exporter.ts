/** The download of the viewer: the command exports in a process of its own, while the server goes on answering. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledCommand } from '../workers/entry.js'
import type { Exported, ExportHtml, ExportOrder } from './html-export.js'

/** How sessions become files; null while sources run as they are. */
export function createExporter(): ExportHtml | null {
  const command = bundledCommand()
  return command === null ? null : order => exportWith(command, order)
}

const WISHES = { refuse: [], redact: ['--redact'], allow: ['--allow-secrets'] } as const

async function exportWith(command: string, { path, secrets }: ExportOrder): Promise<Exported> {
  const folder = mkdtempSync(join(tmpdir(), 'dagline-'))
  try {
    const out = join(folder, 'session.html')
    const words = ['export', path, '--format', 'html', '--out', out, '--quiet', ...WISHES[secrets]]
    const { code, said } = await run(command, words)
    if (code === 0) return { page: readFileSync(out) }
    return { refusal: forPage(said), isForSecrets: code === 1 && said.includes('likely secret') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(
  command: string,
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', piece => {
      said += piece
    })
    child.once('error', reject).once('close', code => resolve({ code, said }))
  })
}

/** What the command says, without what only a command line has. */
function forPage(said: string): string {
  const sentence = said
    .trim()
    .replace(/^dagline: /, '')
    .replace(/ Give --redact to [^.]*\./, '')
  return sentence === '' ? 'The export ended early: try `dagline export` in a terminal.' : sentence
}
