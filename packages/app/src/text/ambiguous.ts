/** The message for a prefix that is not unique. */
export function ambiguous(word: string, ids: readonly string[], what: string): string {
  const some = ids.slice(0, 4).join(', ')
  const more = ids.length > 4 ? ` and ${ids.length - 4} more` : ''
  return `${ids.length} ${what} begin with ${word}: ${some}${more}; give more characters.`
}
