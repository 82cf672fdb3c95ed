import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundle } from './bundle.ts'
import { ROOT } from './sources.ts'

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

interface Notice {
  readonly title: string
  readonly text: string
}

/** Name, version and licence text of every package from outside that is part of a bundle; empty if there is none. */
export function noticesOf(bundles: readonly Bundle[]): string {
  const used = bundles.flatMap(({ modules }) => modules.flatMap(path => PACKAGE.exec(path)?.[1] ?? []))
  const notices = [...new Set(used)].map(noticeOf).sort((a, b) => (a.title < b.title ? -1 : 1))
  return notices.map(({ title, text }) => `${title}\n${'-'.repeat(title.length)}\n${text}\n`).join('\n')
}

function noticeOf(folder: string): Notice {
  const manifest: { name: string; version: string; license: string } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  )
  const file = readdirSync(join(ROOT, folder)).find(name => /^licen[cs]e(\.|$)/i.test(name))
  if (file === undefined)
    throw new Error(`${folder} has no licence file: its text must be in the bundle's notices`)
  const text = readFileSync(join(ROOT, folder, file), 'utf8')
    .replaceAll('\r\n', '\n')
    .trim()
  return { title: `${manifest.name} ${manifest.version} (${manifest.license})`, text }
}
