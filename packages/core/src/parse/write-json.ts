/** Writes JSON of any depth: `JSON.stringify` overflows the stack where values are nested tens of thousands deep. */

/** The JSON text of a value that was read from JSON; one that is nested too deep for the stack has no indentation. */
export function writeJson(value: unknown, indentation?: number): string {
  try {
    return JSON.stringify(value, null, indentation)
  } catch (error) {
    if (error instanceof RangeError) return writeDeep(value)
    throw error
  }
}

/** A list or object while it is written: its keys, or null for a list, and how many of its values are written. */
interface Frame {
  readonly value: object
  readonly keys: readonly string[] | null
  next: number
}

/** The same with an explicit stack. Undefined fields are left out, as `JSON.stringify` does. */
function writeDeep(root: unknown): string {
  const parts: string[] = []
  const stack: Frame[] = []
  const open = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) parts.push(JSON.stringify(value) ?? 'null')
    else {
      const keys = Array.isArray(value) ? null : definedKeys(value)
      stack.push({ value, keys, next: 0 })
      parts.push(keys === null ? '[' : '{')
    }
  }
  open(root)
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const key = frame.keys === null ? frame.next : frame.keys[frame.next]
    if (frame.next >= sizeOf(frame) || key === undefined) {
      parts.push(frame.keys === null ? ']' : '}')
      stack.pop()
      continue
    }
    if (frame.next > 0) parts.push(',')
    frame.next++
    if (frame.keys !== null) parts.push(`${JSON.stringify(key)}:`)
    open(Reflect.get(frame.value, key))
  }
  return parts.join('')
}

function definedKeys(value: object): readonly string[] {
  return Object.keys(value).filter(key => Reflect.get(value, key) !== undefined)
}

function sizeOf({ value, keys }: Frame): number {
  return keys === null ? Number(Reflect.get(value, 'length')) : keys.length
}
