/** Where the files of a person lie for the judge and for readers: one root for each person, with a folder for each project. */
import { portableName } from '@dagline/core/platform'
import type { PersonId } from '../model/index.js'

/** The person of a root; null for any other path. */
export function personOf(root: string): PersonId | null {
  const [, person] = /^\/hub\/(\d+)$/.exec(root) ?? []
  return person === undefined ? null : Number(person)
}

/** The path of a file below the root: equal folders of two machines are two folders. */
export function hubPath(folder: string, path: string, machine: string): string {
  return `${folder}@${portableName(machine)}/${path}`
}

/** Whether a path stays in the folder that it is relative to. */
export function isInner(path: string): boolean {
  const parts = path.split('/')
  return parts.every(part => part !== '' && part !== '.' && part !== '..') && !path.includes('\u0000')
}

/** The root of a person in the index. There is no such folder on any disk. */
export function rootOf(person: PersonId): string {
  return `/hub/${person}`
}
