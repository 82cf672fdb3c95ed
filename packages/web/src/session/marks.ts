/** Marks the words of a search in whatever is drawn. The browser paints them; the nodes stay as they are. */
import { effect } from '@preact/signals'
import type { Session } from './state.js'

const NAME = 'dagline-hits'
/** The marks in the row of the hit that one is at. */
const NAME_HERE = 'dagline-hit'
/** More marks than this nobody can see at once. */
const MOST = 500

/** The words of a search, each to be marked by itself. */
export function partsOf(words: string): readonly string[] {
  return words
    .toLowerCase()
    .split(/\s+/)
    .filter(part => part.length > 1)
}

/** Follows the search and whatever is drawn. Returns what ends it. */
export function watchMarks(session: Session): () => void {
  if (!('highlights' in CSS)) return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => mark(session), 60)
  }
  // Cards that open, contents that arrive, rows that come near: all of it is drawn anew.
  const observer = new MutationObserver(soon)
  const stop = effect(() => {
    const isWanted = session.search.words.value !== ''
    void session.search.target.value
    observer.disconnect()
    if (isWanted) observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    soon()
  })
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    stop()
    clearMarks()
  }
}

function clearMarks(): void {
  CSS.highlights.delete(NAME)
  CSS.highlights.delete(NAME_HERE)
}

function mark({ search }: Session): void {
  const parts = partsOf(search.words.peek())
  const rows = document.querySelector('.rows')
  if (parts.length === 0 || rows === null) {
    clearMarks()
    return
  }
  const here = rowElement(search.target.peek())
  const ranges = rangesBelow(rows, parts)
  const isHere = (range: Range): boolean => here?.contains(range.startContainer) === true
  const [own, others] = [ranges.filter(isHere), ranges.filter(range => !isHere(range))]
  CSS.highlights.set(NAME, new Highlight(...others))
  CSS.highlights.set(NAME_HERE, new Highlight(...own))
}

function rowElement(row: number): Element | null {
  return row < 0 ? null : document.querySelector(`.row[data-row="${row}"]`)
}

function rangesBelow(root: Element, parts: readonly string[]): readonly Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() && ranges.length < MOST) ranges.push(...rangesIn(walker.currentNode, parts))
  return ranges
}

/** Brings the first mark of a row into sight, once the row is drawn with what was opened in it. */
export function showMark(session: Session, row: number): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const element = session.search.target.peek() === row ? rowElement(row) : null
      const parts = partsOf(session.search.words.peek())
      const [first] = element === null || parts.length === 0 ? [] : rangesBelow(element, parts)
      if (first === undefined) return
      const { top, bottom } = first.getBoundingClientRect()
      const bar = document.querySelector('.session-bar')?.getBoundingClientRect().bottom ?? 0
      if (top >= bar && bottom <= window.innerHeight) return
      window.scrollBy({ top: top - window.innerHeight / 3, behavior: 'instant' })
    }),
  )
}

function rangesIn(node: Node, parts: readonly string[]): readonly Range[] {
  const text = (node.textContent ?? '').toLowerCase()
  const found: Range[] = []
  for (const part of parts) {
    for (
      let at = text.indexOf(part);
      at >= 0 && found.length < MOST;
      at = text.indexOf(part, at + part.length)
    ) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + part.length)
      found.push(range)
    }
  }
  return found
}
