/** Cells of the archive's tables as what they are. A cell of another kind means that the file was not made by us. */
import type { Row, Value } from '../db/driver.js'
import { StoreFailure } from '../files/failures.js'

/** A number in a row. */
export function numberIn(row: Row | undefined, name: string): number {
  const value = row?.[name]
  return typeof value === 'number' ? value : odd(name, value)
}

/** A text in a row. */
export function textIn(row: Row | undefined, name: string): string {
  const value = row?.[name]
  return typeof value === 'string' ? value : odd(name, value)
}

/** A text in a row, or null. */
export function textOrNull(row: Row | undefined, name: string): string | null {
  return row?.[name] === null ? null : textIn(row, name)
}

/** Bytes in a row. */
export function bytesIn(row: Row | undefined, name: string): Uint8Array {
  const value = row?.[name]
  return value instanceof Uint8Array ? value : odd(name, value)
}

function odd(name: string, value: Value | undefined): never {
  throw new StoreFailure(
    'damaged',
    `The archive is damaged: a cell ${name} holds ${typeof value}. Take the archive from a backup.`,
  )
}
