import type { JSX } from 'preact'
import { switchTheme, theme } from '../app/theme.js'

/** Switches the theme, and shows which one is chosen. */
export function ThemeButton(): JSX.Element {
  const label = `Theme: ${theme.value}`
  return (
    <button
      type="button"
      class="button-quiet"
      title={`${label} (t)`}
      aria-label={label}
      onClick={switchTheme}
    >
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" stroke-width="1.5" />
        {theme.value === 'light' ? null : (
          <path
            fill="currentColor"
            d={
              theme.value === 'dark'
                ? 'M8 2.5a5.5 5.5 0 0 0 0 11 5.5 5.5 0 0 0 0-11z'
                : 'M8 2.5a5.5 5.5 0 0 1 0 11z'
            }
          />
        )}
      </svg>
    </button>
  )
}
