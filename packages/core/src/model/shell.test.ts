import { expect, it } from 'vitest'
import { shellWord } from './shell.js'

it.each([
  ['/home/dev/my_proj.x', '/home/dev/my_proj.x'],
  ["/it's; rm -rf", "'/it'\\''s; rm -rf'"],
  ['$HOME `id`', "'$HOME `id`'"],
  ['', "''"],
  ['C:\\Users\\me\\my app', '"C:\\Users\\me\\my app"'],
  ['C:\\$(id)', "'C:\\$(id)'"],
  ["/it's\u001b\\\n\u202e", "$'/it\\'s\\033\\\\\\012\\342\\200\\256'"],
])('[O1] %s is one word of a command line', (text, word) => {
  expect(shellWord(text)).toBe(word)
})
