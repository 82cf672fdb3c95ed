/** Sessions that dagline wrote, for comparing two of them. */

/** New ids by their order, and the time of writing left out: the rest is the same whenever it is written. */
export function inOrder(text: string): string {
  const ids = new Map<string, string>()
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, id => {
      ids.set(id, ids.get(id) ?? `id ${ids.size}`)
      return ids.get(id) ?? id
    })
    .replaceAll(/((?:"customTitle"|"Copied by dagline).*"timestamp":)"[^"]*"/g, '$1""')
}
