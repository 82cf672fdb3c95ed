import { describe, expect, it } from 'vitest'
import { isProjectFolder, projectFolder } from './source.js'

describe('folders of projects', () => {
  it.each([
    ['/home/dev/my_proj.x', '-home-dev-my-proj-x'],
    ['D:\\oh-my-posh', 'D--oh-my-posh'],
    ['/tmp/ünï_c.o d(e)/日本/😀z', '-tmp--n--c-o-d-e-------z'],
  ])('[M1] %s', (path, folder) => {
    expect(projectFolder(path)).toBe(folder)
  })

  it('[M1] long ones are cut at 200 and end in a hash, as recorded', () => {
    const start = `/srv/lab/${'a'.repeat(100)}`
    const name = projectFolder(`${start}/${'b'.repeat(100)}/c`)
    expect(name).toBe(`-srv-lab-${'a'.repeat(100)}-${'b'.repeat(90)}-kw656`)
    expect(projectFolder(`${start}/${'q'.repeat(90)}`)).toHaveLength(200)
    expect(projectFolder(`${start}/${'q'.repeat(90)}r`)).toMatch(/q-hqyfas$/)
    expect(projectFolder(`${start}/${'q'.repeat(90)}/日本😀`)).toMatch(/q-czn2s3$/)
  })

  it('[M1] are known whether a release cuts their names or not, and with any hash', () => {
    const path = `/srv/lab/${'a'.repeat(200)}/b`
    const whole = path.replaceAll('/', '-')
    const names = [projectFolder(path), whole, `${whole.slice(0, 200)}-other`]
    expect(names.map(name => isProjectFolder(name, path))).toEqual([true, true, true])
    expect(isProjectFolder('-srv-lab', path)).toBe(false)
    expect(isProjectFolder('-srv-lab-b', '/srv/lab')).toBe(false)
  })
})
