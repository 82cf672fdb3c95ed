/** The anchor that GitHub gives to a heading: lower case, punctuation dropped, blanks to `-`. Repeats get a number behind it. */
export function slugOf(title: string): string {
  const text = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
  return text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
}
