/** Light or dark: as the system has it, unless somebody chose. */
import { type ReadonlySignal, signal } from '@preact/signals'

type Theme = 'system' | 'light' | 'dark'

const KEY = 'dagline-theme'
const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }

const chosen = signal<Theme>('system')

/** What was chosen. */
export const theme: ReadonlySignal<Theme> = chosen

/** Takes up what was chosen the last time. */
export function startTheme(): void {
  const kept = remembered()
  apply(kept === 'light' || kept === 'dark' ? kept : 'system')
}

/** From system to light to dark, and round again. */
export function switchTheme(): void {
  apply(NEXT[chosen.value])
  try {
    localStorage.setItem(KEY, chosen.value)
  } catch {
    // A browser that keeps nothing forgets the choice with the page.
  }
}

function apply(value: Theme): void {
  chosen.value = value
  if (value === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = value
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
