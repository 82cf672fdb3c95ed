/** The text; one of more than `most` characters is cut to that many, the last of them `…`, and never within a character. */
export function withEllipsis(text: string, most: number): string {
  if (text.length <= most) return text
  const end = most - 1
  const isHalf = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')
  return `${text.slice(0, isHalf ? end - 1 : end).trimEnd()}…`
}
