/** What the server says of the page as a whole. */

/** HU60: whether it is the page of a hub. */
export function isHub(): boolean {
  return typeof document !== 'undefined' && document.documentElement.hasAttribute('data-hub')
}
