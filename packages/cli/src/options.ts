/** Options as the command line gave them. */
export type Options = Readonly<Record<string, unknown>>

/** An option with a text, or null where it was not given. */
export function textIn(options: Options, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}
