/**
 * A ring of bytes in a file that two processes share: one puts words in, the other takes them out in the same order.
 * Large words sent through a pipe would make both wait for each other: a pipe holds 64 kB, and moves only while both
 * ends are idle. The file has no name once both have it open, so nothing of it is left behind.
 */
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

/** Bytes of the ring. A word takes at most half of it. */
export const SPOOL_SIZE: number = 64 * 1024 * 1024

/** Where a word stands, and how many bytes are free again once it is taken. */
export interface SpoolPlace {
  readonly at: number
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

/** The end that puts words in. */
export class SpoolWriter {
  private readonly file: number
  private head = 0
  private free = SPOOL_SIZE
  private wake: () => void = () => {}

  constructor(file: number) {
    this.file = file
  }

  /** Puts a word in, waiting for room; null where it is too large. */
  async put(word: unknown): Promise<SpoolPlace | null> {
    const bytes = serialize(word)
    if (bytes.length > SPOOL_SIZE / 2) return null
    const rest = SPOOL_SIZE - this.head
    const skipped = bytes.length > rest ? rest : 0
    const takes = bytes.length + skipped
    while (this.free < takes) {
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
    const at = skipped > 0 ? 0 : this.head
    writeSync(this.file, bytes, 0, bytes.length, at)
    this.head = at + bytes.length
    this.free -= takes
    return { at, length: bytes.length, takes }
  }

  /** Waits until the other end has taken everything. */
  async drain(): Promise<void> {
    while (this.free < SPOOL_SIZE) {
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
  }

  /** The other end has taken a word. */
  taken(takes: number): void {
    this.free += takes
    this.wake()
  }
}

/** Takes a word out. What it is, the two ends have agreed on. */
export function takeWord<Word>(file: number, { at, length }: SpoolPlace): Word {
  const bytes = Buffer.allocUnsafe(length)
  readSync(file, bytes, 0, length, at)
  return deserialize(bytes)
}
