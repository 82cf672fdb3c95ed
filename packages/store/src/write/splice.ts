/**
 * Setting fields of a JSON object that passes by in pieces, for rows too long to hold: the bytes go through as they
 * are, except for the values of the wanted fields of the outermost object. Fields that it does not have come last.
 */

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN = 0x7b
const CLOSE = 0x7d

/** A splice under way. */
export class Splicer {
  private readonly left: Map<string, string>
  private readonly put: (bytes: Uint8Array) => void
  private depth = 0
  private inString = false
  private escaped = false
  /** The bytes of the key that is being read; null elsewhere. */
  private key: number[] | null = null
  private name = ''
  private inValue = false
  /** The value that passes by was replaced. */
  private skips = false

  /** `fields` has the JSON text of each value; the changed bytes go to `put`, in order. */
  constructor(fields: ReadonlyMap<string, string>, put: (bytes: Uint8Array) => void) {
    this.left = new Map(fields)
    this.put = put
  }

  /** The next piece of the row. */
  write(piece: Uint8Array): void {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0
      if (this.inString) this.inText(byte)
      else if (this.depth === 1 && byte === COLON && !this.inValue) {
        this.put(piece.subarray(from, at + 1))
        from = at + 1
        this.beginValue()
      } else if (this.depth === 1 && (byte === COMMA || byte === CLOSE)) {
        if (!this.skips) this.put(piece.subarray(from, at))
        from = at
        this.endValue(byte === CLOSE)
      } else this.structure(byte)
    }
    if (!this.skips) this.put(piece.subarray(from))
  }

  private beginValue(): void {
    this.inValue = true
    const text = this.left.get(this.name)
    if (text === undefined) return
    this.left.delete(this.name)
    this.skips = true
    this.put(Buffer.from(text))
  }

  private endValue(isLast: boolean): void {
    this.inValue = false
    this.skips = false
    if (!isLast) return
    this.depth = 0
    const rest = [...this.left].map(([field, text]) => `,${JSON.stringify(field)}:${text}`)
    this.left.clear()
    this.put(Buffer.from(rest.join('')))
  }

  private structure(byte: number): void {
    if (byte === QUOTE) {
      this.inString = true
      if (this.depth === 1 && !this.inValue) this.key = []
    } else if (byte === OPEN || byte === OPEN_LIST) this.depth++
    else if (byte === CLOSE || byte === CLOSE_LIST) this.depth--
  }

  private inText(byte: number): void {
    if (this.escaped) this.escaped = false
    else if (byte === BACKSLASH) this.escaped = true
    else if (byte === QUOTE) {
      this.inString = false
      if (this.key !== null) this.name = Buffer.from(this.key).toString('utf8')
      this.key = null
    }
    if (this.inString) this.key?.push(byte)
  }
}
