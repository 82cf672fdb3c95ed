/** Controls of filters: fields, select boxes and toggle buttons. */
import type { ComponentChildren, JSX } from 'preact'

type FieldProps = JSX.IntrinsicElements['input'] & {
  readonly label: string
  readonly value: string
}

/** An input with its label inside the border. An empty one stands for no filter. */
export function Field({ label, ...input }: FieldProps): JSX.Element {
  return (
    <label class={input.value === '' ? 'choice' : 'choice is-set'}>
      <span class="choice-label">{label}</span>
      <input {...input} />
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
    <label class={value === options[0]?.[0] ? 'choice' : 'choice is-set'}>
      <span class="choice-label">{label}</span>
      <select
        value={value}
        onChange={event => {
          const chosen = options[event.currentTarget.selectedIndex]
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
