/** Sessions for tests and pictures of the page. */
import { expandShape, generate, inProject, type TextFile } from '@dagline/testkit'

/** Generated projects with branches, subagents, compactions, copies and damage; the same at every call. */
export function someProjects(): TextFile[] {
  return [3, 5, 8, 13, 21].flatMap(seed => {
    const made = generate(seed, {
      actions: 10 + seed,
      project: `-home-dev-project-${seed}`,
      damage: seed === 8,
    })
    return [...made.files, ...made.metas]
  })
}

/** Files of a shape, in a project folder. */
export function shaped(shape: string, project?: string): TextFile[] {
  const { files, metas } = expandShape(shape)
  return inProject([...files, ...metas], project)
}

/** A number of small sessions of two messages that share no entries. */
export function manySessions(count: number, project: string = '-home-dev-many'): TextFile[] {
  const lines = Array.from({ length: count }, (_, index) => {
    const number = 1000 + index
    return `m${number}: u${number}"Question number ${number}"@+${index}m a${number}"Answer number ${number}"`
  })
  return shaped(lines.join('\n'), project)
}
