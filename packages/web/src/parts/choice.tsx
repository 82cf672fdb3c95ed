/** Controls of filters: fields, select boxes and toggle buttons. */
import type { ComponentChildren, JSX } from 'preact'

interface FieldProps {
  readonly label: string
  /** Whether the filter is set. */
  readonly isSet: boolean
  /** The control. */
  readonly children: ComponentChildren
}

/** A control with its label inside the border. */
export function Field({ label, isSet, children }: FieldProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class={isSet ? 'choice is-set' : 'choice'}>
      <span class="choice-label">{label}</span>
      {children}
    </label>
  )
}

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, name: string])[]
  readonly onChange: (value: T) => void
}

/** A select box. The first option stands for no filter. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>): JSX.Element {
  return (
    <Field label={label} isSet={value !== options[0]?.[0]}>
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
    </Field>
  )
}

interface ToggleProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly title?: string
  readonly children: ComponentChildren
}

/** A toggle button. */
export function Toggle({ isOn, onChange, title, children }: ToggleProps): JSX.Element {
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

/** A row of toggle buttons, one of which is on. */
export function Toggles<T extends string>({
  values,
  chosen,
  nameOf = value => value,
  onChange,
}: {
  readonly values: readonly T[]
  readonly chosen: T
  readonly nameOf?: (value: T) => string
  readonly onChange: (value: T) => void
}): JSX.Element {
  return (
    <>
      {values.map(value => (
        <Toggle key={value} isOn={value === chosen} onChange={() => onChange(value)}>
          {nameOf(value)}
        </Toggle>
      ))}
    </>
  )
}
