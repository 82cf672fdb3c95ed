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
  return {
    title: `${manifest.name} ${manifest.version} (${manifest.license})`,
    text: licenceIn(folder).replaceAll('\r\n', '\n').trim(),
  }
}

/** The licence file of a package, or the section of its readme where it has none. */
function licenceIn(folder: string): string {
  const names = readdirSync(join(ROOT, folder))
  const read = (name: string | undefined): string =>
    name === undefined ? '' : readFileSync(join(ROOT, folder, name), 'utf8')
  const file = names.find(name => /^licen[cs]e(\.|$)/i.test(name))
  const text = read(file) || licenceSection(read(names.find(name => /^readme(\.|$)/i.test(name))))
  if (text === '') throw new Error(`${folder} has no licence text: it must be in the bundle's notices`)
  return text
}

function licenceSection(readme: string): string {
  return /^#+ licen[cs]e\s*$([\s\S]*?)(?=^#|$(?![\s\S]))/im.exec(readme)?.[1] ?? ''
}
