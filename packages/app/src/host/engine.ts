/** Settings of the engine that make a piece of work cheaper. They end with it: a program that uses the library keeps its own. */
import { setFlagsFromString } from 'node:v8'

/** The flags of each setting, and those that take them back. */
const SETTINGS = {
  /** All cores have other things to do than to compile: only what runs very often is compiled a second time. */
  lessCompiling: [
    '--no-turbofan --invocation-count-for-maglev=8000',
    '--turbofan --invocation-count-for-maglev=400',
  ],
  /** The work is over before optimised code pays, or it pays to look for garbage among what is kept. */
  brief: ['--no-turbofan --no-maglev --no-incremental-marking', '--turbofan --maglev --incremental-marking'],
  /**
   * Little memory: garbage is collected early, and only what runs very often is compiled a second time. Threads that are started
   * meanwhile have the same room for young objects from their start. Garbage is collected by the thread that made it,
   * because there is a thread for every core.
   */
  small: [
    '--no-turbofan --invocation-count-for-maglev=8000 --semi-space-growth-factor=1 --heap-growing-percent=40 --no-parallel-scavenge --min-semi-space-size=4 --max-semi-space-size=4',
    '--turbofan --invocation-count-for-maglev=400 --semi-space-growth-factor=2 --heap-growing-percent=0 --parallel-scavenge --min-semi-space-size=0 --max-semi-space-size=0',
  ],
  /** Much is held for long, and much more is made and dropped beside it: garbage is collected before it takes as much room again. */
  steady: [
    '--semi-space-growth-factor=1 --heap-growing-percent=60',
    '--semi-space-growth-factor=2 --heap-growing-percent=0',
  ],
} as const

type Setting = keyof typeof SETTINGS

/** Does some work with a setting. */
export async function withEngine<T>(setting: Setting, work: () => Promise<T>): Promise<T> {
  return await withSettings(async use => {
    use(setting)
    return await work()
  })
}

/** Does some work that says which setting it needs once it knows. */
export async function withSettings<T>(work: (use: (setting: Setting) => void) => Promise<T>): Promise<T> {
  const used = new Set<Setting>()
  try {
    return await work(setting => {
      used.add(setting)
      setFlagsFromString(SETTINGS[setting][0])
    })
  } finally {
    for (const setting of used) setFlagsFromString(SETTINGS[setting][1])
  }
}
