/** The message for a prefix that is not unique, with what is known of the candidates. */
export function ambiguous(
  word: string,
  ids: readonly string[],
  what: string,
  describe: (id: string) => string = () => '',
): string {
  const some = ids
    .slice(0, 4)
    .map(id => `${id}${describe(id)}`)
    .join(', ')
  const more = ids.length > 4 ? ` and ${ids.length - 4} more` : ''
  return `${ids.length} ${what} begin with ${word}: ${some}${more}; give more characters.`
}
