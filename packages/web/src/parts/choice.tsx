/** Controls of filters: a select box, and a toggle button. */
import type { ComponentChildren, JSX } from 'preact'

/** A select box. The first option stands for no filter. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, name: string])[]
  readonly onChange: (value: T) => void
}): JSX.Element {
  const isSet = value !== options[0]?.[0]
  return (
    <label class={isSet ? 'choice is-set' : 'choice'}>
      <span class="choice-label">{label}</span>
      <select
        value={value}
        onChange={event => {
          const at = event.currentTarget.selectedIndex
          const chosen = options[at]
          if (chosen !== undefined) onChange(chosen[0])
        }}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A toggle button. */
export function Toggle({
  isOn,
  onChange,
  title,
  children,
}: {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly title?: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <button
      type="button"
      class={isOn ? 'chip is-on' : 'chip'}
      aria-pressed={isOn}
      title={title}
      onClick={() => onChange(!isOn)}
    >
      {children}
    </button>
  )
}
