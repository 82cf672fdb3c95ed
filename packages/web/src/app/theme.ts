/** The theme: that of the system, unless the user chose one. */
import { type ReadonlySignal, signal } from '@preact/signals'

type Theme = 'system' | 'light' | 'dark'

const KEY = 'dagline-theme'
const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }

const chosen = signal<Theme>('system')

/** The chosen theme. */
export const theme: ReadonlySignal<Theme> = chosen

/** Applies the stored theme, or that of the settings, with which the page came. */
export function startTheme(): void {
  const kept = remembered() ?? document.documentElement.dataset['theme']
  apply(kept === 'light' || kept === 'dark' ? kept : 'system')
}

/** Switches from system to light to dark to system. */
export function switchTheme(): void {
  apply(NEXT[chosen.value])
  try {
    localStorage.setItem(KEY, chosen.value)
  } catch {
    // Without storage, the choice lasts as long as the page.
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
