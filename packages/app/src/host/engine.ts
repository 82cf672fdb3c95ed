/** Settings of the engine that make a piece of work cheaper. They end with it: a program that uses the library keeps its own. */
import { setFlagsFromString } from 'node:v8'

/** The flags of each setting, and those that take them back. */
const SETTINGS = {
  /** All cores have other things to do than to compile. */
  lessCompiling: ['--no-turbofan', '--turbofan'],
  /** The work is over before optimised code pays, or it pays to look for garbage among what is kept. */
  brief: ['--no-turbofan --no-maglev --no-incremental-marking', '--turbofan --maglev --incremental-marking'],
  /** Little memory: garbage is collected early, and only what runs very often is compiled a second time. */
  small: [
    '--no-turbofan --invocation-count-for-maglev=8000 --semi-space-growth-factor=1 --heap-growing-percent=40',
    '--turbofan --invocation-count-for-maglev=400 --semi-space-growth-factor=2 --heap-growing-percent=0',
  ],
} as const

/** Does some work with a setting. */
export async function withEngine<T>(setting: keyof typeof SETTINGS, work: () => Promise<T>): Promise<T> {
  const [flags, back] = SETTINGS[setting]
  setFlagsFromString(flags)
  try {
    return await work()
  } finally {
    setFlagsFromString(back)
  }
}
