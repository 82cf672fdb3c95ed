/** The script of documentation pages: theme, menu, and the search of headings. */
import './style/theme.css'
import './style/base.css'
import './text/text.css'
import './style/site.css'
import { startTheme, switchTheme, theme } from './app/theme.js'

/** A heading, the title of its page (empty for the page itself), and its address. */
type Entry = readonly [text: string, page: string, address: string]

declare global {
  /** Written by the build of the site. */
  var daglineHeadings: readonly Entry[] | undefined
}

/** Headings that are shown at most. */
const MOST_FOUND = 12

startTheme()
startThemeButton()
startMenu()
startSearch()

function startThemeButton(): void {
  const button = document.getElementById('theme')
  const show = (): void => {
    button?.setAttribute('aria-label', `Theme: ${theme.value}`)
    button?.setAttribute('title', `Theme: ${theme.value}`)
  }
  show()
  button?.addEventListener('click', () => {
    switchTheme()
    show()
  })
}

/** On a narrow screen the menu is closed at first. */
function startMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.site-menu details')
  const wide = matchMedia('(min-width: 900px)')
  const fit = (): void => {
    if (menu !== null) menu.open = wide.matches
  }
  fit()
  wide.addEventListener('change', fit)
}

function startSearch(): void {
  const input = document.querySelector<HTMLInputElement>('#search')
  const found = document.getElementById('found')
  if (input === null || found === null) return
  const show = (): void => {
    const entries = findHeadings(input.value)
    found.replaceChildren(...entries.map(linkTo), ...(entries.length === 0 ? [nothing()] : []))
    found.hidden = input.value.trim() === ''
  }
  input.addEventListener('input', show)
  input.addEventListener('focus', show)
  document.addEventListener('keydown', event => pressed(event, input, found))
  document.addEventListener('click', event => {
    if (event.target instanceof Node && !input.parentElement?.contains(event.target)) found.hidden = true
  })
}

/** Headings with all words; those that begin with what was typed come first. */
function findHeadings(typed: string): readonly Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const all = globalThis.daglineHeadings ?? []
  const has = ([text, page]: Entry): boolean =>
    words.every(word => `${text} ${page}`.toLowerCase().includes(word))
  const isFirst = ([text]: Entry): boolean => text.toLowerCase().startsWith(typed.trim().toLowerCase())
  const matching = all.filter(has)
  return [...matching.filter(isFirst), ...matching.filter(entry => !isFirst(entry))].slice(0, MOST_FOUND)
}

function linkTo([text, page, address]: Entry): HTMLElement {
  const link = document.createElement('a')
  link.href = (document.body.dataset['root'] ?? '') + address
  link.textContent = text
  const where = document.createElement('span')
  where.textContent = page
  link.append(where)
  return link
}

function nothing(): HTMLElement {
  const text = document.createElement('p')
  text.textContent = 'No heading has these words.'
  return text
}

/** `/` goes to the search, arrows move through what was found, Escape closes it. */
function pressed(event: KeyboardEvent, input: HTMLInputElement, found: HTMLElement): void {
  const stops: readonly HTMLElement[] = [input, ...found.querySelectorAll('a')]
  const { activeElement } = document
  const at = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : -1
  if (event.key === '/' && at < 0) input.focus()
  else if (event.key === 'ArrowDown' && at >= 0) stops[Math.min(at + 1, stops.length - 1)]?.focus()
  else if (event.key === 'ArrowUp' && at > 0) stops[at - 1]?.focus()
  else if (event.key === 'Escape' && at >= 0) found.hidden = true
  else return
  event.preventDefault()
}
