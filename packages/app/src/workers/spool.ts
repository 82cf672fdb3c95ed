/**
 * A ring of bytes in a file that two processes share: one puts values in, the other takes them out in the same order.
 * Large values sent through a pipe would make both wait for each other: a pipe holds 64 kB, and moves only while both
 * ends are idle. The file has no name once both have it open, so nothing of it is left behind.
 */
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

/** Bytes of the ring. A value that is larger has the file for itself. */
const SPOOL_SIZE: number = 64 * 1024 * 1024

/** Where a value is, and how many bytes are free again once it is taken. */
export interface SpoolLocation {
  readonly offset: number
  readonly length: number
  readonly takes: number
}

/** A file that nobody else can open, and that is gone when both processes are. */
export function openSpool(): number {
  const folder = mkdtempSync(join(tmpdir(), 'dagline-'))
  try {
    return openSync(join(folder, 'spool'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The end that puts values in. */
export class SpoolWriter {
  private readonly file: number
  private head = 0
  private free = SPOOL_SIZE
  private wake: () => void = () => {}

  constructor(file: number) {
    this.file = file
  }

  /** Puts a value in, waiting for room. */
  async put(value: unknown): Promise<SpoolLocation> {
    const bytes = serialize(value)
    const { length } = bytes
    const rest = SPOOL_SIZE - this.head
    const isAlone = length > SPOOL_SIZE / 2
    const skipped = isAlone || length > rest ? rest : 0
    const takes = isAlone ? SPOOL_SIZE : length + skipped
    await this.room(takes)
    const offset = skipped > 0 ? 0 : this.head
    for (let done = 0; done < length; )
      done += writeSync(this.file, bytes, done, length - done, offset + done)
    this.head = isAlone ? 0 : offset + length
    this.free -= takes
    return { offset, length, takes }
  }

  /** Waits until the other end has taken everything. */
  async drain(): Promise<void> {
    await this.room(SPOOL_SIZE)
  }

  private async room(bytes: number): Promise<void> {
    while (this.free < bytes) {
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
  }

  /** The other end has taken a value. */
  taken(bytes: number): void {
    this.free += bytes
    this.wake()
  }
}

/** Takes a value out. */
export function takeValue(file: number, { offset, length }: SpoolLocation): unknown {
  const bytes = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) done += readSync(file, bytes, done, length - done, offset + done)
  return deserialize(bytes)
}
