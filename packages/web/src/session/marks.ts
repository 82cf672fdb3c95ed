/** Marks the words of a search in whatever is drawn. The browser paints them; the nodes stay as they are. */
import { effect } from '@preact/signals'
import type { Session } from './state.js'

const NAME = 'dagline-hits'
/** More marks than this nobody can see at once. */
const MOST = 500

/** Follows the search and the window. Returns what ends it. */
export function watchMarks(session: Session): () => void {
  if (!('highlights' in CSS)) return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = effect(() => {
    const words = session.search.words.value
    void session.window.value
    void session.search.hits.value
    clearTimeout(timer)
    timer = setTimeout(() => mark(words), 120)
  })
  return () => {
    clearTimeout(timer)
    stop()
    CSS.highlights.delete(NAME)
  }
}

function mark(words: string): void {
  const parts = words
    .toLowerCase()
    .split(/\s+/)
    .filter(part => part.length > 1)
  const rows = document.querySelector('.rows')
  if (parts.length === 0 || rows === null) {
    CSS.highlights.delete(NAME)
    return
  }
  const ranges: Range[] = []
  const walker = document.createTreeWalker(rows, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() && ranges.length < MOST) ranges.push(...rangesIn(walker.currentNode, parts))
  CSS.highlights.set(NAME, new Highlight(...ranges))
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
