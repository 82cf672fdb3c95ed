/** Highlights the words of a search in all rows drawn, with the CSS Custom Highlight API: no nodes change. */
import { effect } from '@preact/signals'
import type { Session } from './state.js'

const NAME = 'dagline-hits'
/** Highlights in the row of the current hit. */
const NAME_HERE = 'dagline-hit'
/** The number of highlights is limited, as few are visible at once. */
const MOST = 500

/** The words of a search, each of which is highlighted, also those of a phrase in quotes. */
export function partsOf(words: string): readonly string[] {
  return words
    .toLowerCase()
    .split(/[\s"]+/)
    .filter(part => part.length > 1)
}

/** Updates the highlights when the search or the drawn rows change. Returns a function that stops it. */
export function watchMarks(session: Session): () => void {
  if (!('highlights' in CSS)) return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => mark(session), 60)
  }
  // Opened cards, arriving contents and rows that come near all add nodes.
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

/** Scrolls to the first highlight of a row, once the row and what was opened in it are drawn. */
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
