/** Settings of the engine that make a piece of work cheaper. They end with it: a program that uses the library keeps its own. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Room for young objects of each thread, in MB: with the little that a thread starts with, it collects much more often. */
const YOUNG = { lessCompiling: 16, small: 4 } as const

type Setting = 'lessCompiling' | 'brief' | 'small' | 'steady'

/** The flags of each setting, and those that take them back. */
const SETTINGS: Readonly<Record<Setting, readonly [begin: string, end: string]>> = {
  /** All cores have other things to do than to compile: only what runs very often is compiled a second time. */
  lessCompiling: [
    `--no-turbofan --invocation-count-for-maglev=8000 ${youngFlags(YOUNG.lessCompiling)}`,
    `--turbofan --invocation-count-for-maglev=400 ${youngFlags(0)}`,
  ],
  /** The work is over before optimised code pays, or it pays to look for garbage among what is kept. */
  brief: ['--no-turbofan --no-maglev --no-incremental-marking', '--turbofan --maglev --incremental-marking'],
  /**
   * Little memory: garbage is collected early, and only what runs very often is compiled a second time. All threads have the same
   * room for young objects from their start (`growYoung`). Garbage is collected by the thread that made it,
   * because there is a thread for every core.
   */
  small: [
    `--no-turbofan --invocation-count-for-maglev=8000 --semi-space-growth-factor=1 --heap-growing-percent=40 --no-parallel-scavenge ${youngFlags(YOUNG.small)}`,
    `--turbofan --invocation-count-for-maglev=400 --semi-space-growth-factor=2 --heap-growing-percent=0 --parallel-scavenge ${youngFlags(0)}`,
  ],
  /** Much is held for long, and much more is made and dropped beside it: garbage is collected before it takes as much room again. */
  steady: [
    '--semi-space-growth-factor=1 --heap-growing-percent=60',
    '--semi-space-growth-factor=2 --heap-growing-percent=0',
  ],
}

/** For threads that are started from now on; 0 is what the engine chooses. */
function youngFlags(megabytes: number): string {
  return `--min-semi-space-size=${megabytes} --max-semi-space-size=${megabytes}`
}

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
      if (setting === 'small' || setting === 'lessCompiling') growYoung(YOUNG[setting])
      setFlagsFromString(SETTINGS[setting][0])
    })
  } finally {
    for (const setting of used) setFlagsFromString(SETTINGS[setting][1])
  }
}

/** More objects than these never have to be kept until there is room. */
const MOST_KEPT = 10_000

/**
 * Gives this thread the room for young objects that threads have which start later. The engine adds room only when it collects, and
 * objects outlive that: some are kept until then.
 */
function growYoung(megabytes: number): void {
  const wanted = megabytes * 2 ** 20
  const factor = Math.ceil(wanted / youngRoom())
  if (factor <= 1) return
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  const kept: unknown[] = []
  while (kept.length < MOST_KEPT && youngRoom() < wanted) kept.push(new Array(1000).fill(null))
  setFlagsFromString('--semi-space-growth-factor=2')
}

function youngRoom(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return young === undefined ? Number.POSITIVE_INFINITY : young.space_used_size + young.space_available_size
}
