/** Milliseconds until nothing more is expected. Not a measure of speed: a busy machine takes long. */
const MOST = 50_000

/** Asks until the answer is as it should be; throws what it was where it never is. */
export async function until<T>(
  ask: () => Promise<T> | T,
  isIt: (value: T) => boolean = Boolean,
  pause = 50,
): Promise<T> {
  const start = performance.now()
  for (;;) {
    const isLast = performance.now() - start > MOST
    const value = await ask()
    if (isIt(value)) return value
    if (isLast) throw new Error(`it stays ${String(JSON.stringify(value)).slice(0, 500)}`)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
}
