/** Disjoint sets of numbers (union-find), and the order in which files are judged. */

import { comparePaths } from '@dagline/core/files'
import { pushTo } from '@dagline/core/model'

/** Compares by path. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return comparePaths(a.path, b.path)
}

/** Sets of files. A negative member stands for a whole group and is not listed. */
export class DisjointSets {
  private readonly above = new Map<number, number>()

  add(member: number): void {
    if (!this.above.has(member)) this.above.set(member, member)
  }

  join(a: number, b: number): void {
    this.add(a)
    this.add(b)
    this.above.set(this.top(a), this.top(b))
  }

  private top(member: number): number {
    let at = member
    for (let up = this.above.get(at) ?? at; up !== at; up = this.above.get(at) ?? at) {
      this.above.set(at, this.above.get(up) ?? up)
      at = up
    }
    return at
  }

  lists(): readonly (readonly number[])[] {
    const lists = new Map<number, number[]>()
    for (const member of this.above.keys()) {
      if (member < 0) continue
      pushTo(lists, this.top(member), member)
    }
    return [...lists.values()]
  }
}
