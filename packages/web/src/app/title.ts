/** Characters of a title that a window can use. */
const LONGEST_TITLE = 200

/** A title as the window has it: titles of sessions may be whole prompts. */
export function windowTitle(title: string): string {
  return title.slice(0, LONGEST_TITLE)
}
