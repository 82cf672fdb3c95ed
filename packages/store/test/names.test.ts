import { spawn } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { changeLabels, readLabels } from '../src/names/file.js'
import {
  addTags,
  countTags,
  giveName,
  giveNote,
  type Labelled,
  labelNamed,
  NO_LABELS,
  removeTags,
} from '../src/names/labels.js'
import { temporaryFolder } from './temporary.js'

const session: Labelled = { kind: 'session', id: 's1', session: 's1' }
const branch: Labelled = { kind: 'branch', id: 's1@11111111-111', session: 's1' }

describe('labels', () => {
  it('[N1] a name belongs to one thing, and leaves it when it is taken away', () => {
    const named = giveName(NO_LABELS, branch, '  first   try ')
    expect(labelNamed(named, 'first try')?.id).toBe(branch.id)
    expect(() => giveName(named, session, 'first try')).toThrow(
      /branch s1@11111111-111 is called first try already/,
    )
    expect(giveName(named, branch, null).size).toBe(0)
    expect(labelNamed(giveName(named, branch, 'second'), 'first try')).toBeNull()
  })

  it.each([
    '',
    ' ',
    'latest',
    'abc-123',
    'DEADBEEF',
    '-x',
    'a:b',
    'a@b',
    'a/b',
    'a\\b',
    'a#b',
    'x.jsonl',
    'a\u0007b',
    'n'.repeat(81),
  ])('[N1] %j can be no name: it could be mistaken for something else', name => {
    expect(() => giveName(NO_LABELS, session, name)).toThrow(/name/)
  })

  it('[N2] tags are words, each once, in order; `#` is only the way to write them', () => {
    const tagged = addTags(addTags(NO_LABELS, session, ['shop', '#money']), branch, ['money'])
    expect(tagged.get('s1')?.tags).toEqual(['money', 'shop'])
    expect([...countTags(tagged)]).toEqual([
      ['money', 2],
      ['shop', 1],
    ])
    expect(removeTags(tagged, session, ['#money']).get('s1')?.tags).toEqual(['shop'])
    expect(removeTags(tagged, session, []).has('s1')).toBe(false)
    for (const bad of ['', '#', 'a b', 'a,b', '-x'])
      expect(() => addTags(NO_LABELS, session, [bad])).toThrow(/tag/)
  })

  it('[N3] a label stays when another one is added', () => {
    const labels = giveNote(
      addTags(giveName(NO_LABELS, session, 'tax'), session, ['shop']),
      session,
      'one\r\ntwo\n',
    )
    expect(labels.get('s1')).toEqual({ ...session, name: 'tax', tags: ['shop'], note: 'one\ntwo' })
    expect(giveNote(labels, session, null).get('s1')?.name).toBe('tax')
    expect(() => giveNote(labels, session, ' \n ')).toThrow(/The note is empty/)
  })
})

describe('the file of names', () => {
  it('[N4] gives back what was written, whatever ids look like, and is readable', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'deep', 'names.json')
    const unusual: Labelled = { kind: 'session', id: '__proto__', session: '__proto__' }
    changeLabels(labels => giveName(addTags(labels, unusual, ['x']), branch, 'try "one"'), path)
    const { labels, problem } = readLabels(path)
    expect(problem).toBeNull()
    expect([...labels.values()]).toEqual([
      { ...unusual, name: null, tags: ['x'], note: null },
      { ...branch, name: 'try "one"', tags: [], note: null },
    ])
    expect(readFileSync(path, 'utf8')).toBe(
      '{\n"dagline": 1,\n"labels": [\n{"kind":"session","id":"__proto__","tags":["x"]},\n' +
        '{"kind":"branch","id":"s1@11111111-111","session":"s1","name":"try \\"one\\""}\n]\n}\n',
    )
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(path)).filter(name => name.endsWith('.part'))).toEqual([])
  })

  it.each([
    '',
    'not json',
    '[]',
    '{"dagline":1}',
    '{"dagline":1,"labels":[{"kind":"planet","id":"x"}]}',
    '{"dagline":1,"labels":[{"kind":"session","id":"x","colour":"red"}]}',
    '{"dagline":1,"labels":[{"kind":"session","id":"x","tags":[1]}]}',
    '{"dagline":2,"labels":[]}',
  ])('[N4] a file that is not understood is never written over: %s', async text => {
    const folder = temporaryFolder()
    const path = join(folder, 'names.json')
    writeFileSync(path, text)
    expect(readLabels(path).labels.size).toBe(0)
    expect(readLabels(path).problem).toMatch(
      text.includes('2') ? /newer dagline/ : /left as it is. Repair it/,
    )
    expect(() => changeLabels(labels => giveName(labels, session, 'tax'), path)).toThrow(/dagline/)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('[N4] a change that is refused leaves the file as it is', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'names.json')
    expect(() => changeLabels(labels => giveName(labels, session, 'latest'), path)).toThrow(/latest/)
    expect(existsSync(path)).toBe(false)
  })

  it('[N4] a link stays a link', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'dotfiles'))
    const target = join(folder, 'dotfiles', 'names.json')
    writeFileSync(target, '{"dagline":1,"labels":[]}')
    const path = join(folder, 'names.json')
    symlinkSync(target, path)
    changeLabels(labels => giveName(labels, session, 'tax'), path)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, 'utf8')).toContain('tax')
  })

  it('[N4] processes that write at the same time lose nothing', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'names.json')
    const bundle = bundleNames(folder)
    const writers = ['a', 'b', 'c'].map(word => tagFromOutside(bundle, path, word))
    expect(await Promise.all(writers)).toEqual([0, 0, 0])
    expect(countTags(readLabels(path).labels).size).toBe(30)
  })
})

/** Another process that gives ten tags, one after the other. */
async function tagFromOutside(bundle: string, path: string, word: string): Promise<number | null> {
  const script = `
    const { changeLabels, addTags } = await import(${JSON.stringify(bundle)})
    const thing = { kind: 'session', id: 's1', session: 's1' }
    for (let n = 0; n < 10; n++) changeLabels(labels => addTags(labels, thing, ['${word}' + n]), ${JSON.stringify(path)})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
  return await new Promise(resolve => child.once('close', resolve))
}

/** Names as a program that runs anywhere. */
function bundleNames(folder: string): string {
  const bundle = join(folder, 'names.mjs')
  const contents = "export * from './file.js'\nexport * from './labels.js'"
  const resolveDir = join(import.meta.dirname, '..', 'src', 'names')
  buildSync({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
  })
  return bundle
}
