/** Paper: all rows, with their contents, outside of the virtual list. */
import type { Session } from './state.js'

/** Rows whose contents are fetched before printing. */
const MOST_FETCHED = 5000

/** Fetches what is shown, then opens the browser's dialog. */
export async function printSession(session: Session): Promise<void> {
  const rows = (session.view.peek()?.rows ?? []).slice(0, MOST_FETCHED).map(({ row }) => row)
  await session.contents.load(rows)
  window.print()
}

/** Shows all rows while the browser prints. Returns what ends it. */
export function watchPrinting(session: Session): () => void {
  const begin = (): void => {
    session.isPrinting.value = true
  }
  const end = (): void => {
    session.isPrinting.value = false
  }
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    void printSession(session)
  }
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  window.addEventListener('keydown', key)
  return () => {
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
    window.removeEventListener('keydown', key)
  }
}
