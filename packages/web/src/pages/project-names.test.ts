import { expect, it } from 'vitest'
import { projectChoices, projectNames } from './project-names.js'

const project = (name: string, cwd: string | null): { name: string; cwd: string | null } => ({ name, cwd })

it('projects have names of as many folders as tell them apart', () => {
  const names = projectNames([
    project('a', '/home/dev/shop'),
    project('b', '/srv/one/app'),
    project('c', '/srv/two/one/app'),
    project('d', null),
  ])
  expect([...names.values()]).toEqual(['…/dev/shop', '/srv/one/app', '…/two/one/app', 'd'])
})

it('one folder is enough where no other project ends in it', () => {
  const names = projectNames(
    [project('a', '/home/dev/shop'), project('b', '/x/one/app'), project('c', '/x/two/app')],
    1,
  )
  expect([...names.values()]).toEqual(['…/shop', '…/one/app', '…/two/app'])
})

it('projects with the same folder are told apart by their own name', () => {
  expect(projectChoices([project('x', '/w/app'), project('y', '/w/app')])).toEqual([
    ['', 'all'],
    ['x', '/w/app (x)'],
    ['y', '/w/app (y)'],
  ])
})
