/** O3: outputs as commands hand them over to be printed. */
import type { Outputs } from './outputs.js'

/** A command that prints JSON. */
export type JsonCommand = keyof Outputs

/** The fields of an output, without the version. Long ones are made item by item, from values or from ready JSON. */
export type JsonFields<N extends JsonCommand> = Printable<Outputs[N]>

/** An object as it is handed over; where a command has several, each of them. */
export type Printable<Output> = Output extends unknown
  ? { readonly [Key in keyof Output]: Output[Key] | SectionOf<Output[Key]> }
  : never

type SectionOf<Value> = Value extends readonly (infer Item)[]
  ? { readonly list: Iterable<Item> } | { readonly json: Iterable<string> }
  : Value extends Readonly<Record<string, readonly string[]>>
    ? { readonly record: Iterable<readonly [name: string, json: string]> }
    : never

/** An object on a line of its own: a whole output, or an item of one of its lists. */
export type JsonLine<N extends JsonCommand> = LineOf<Outputs[N]>

type LineOf<Output> = Output extends unknown
  ? Output | { [Key in keyof Output]-?: ItemOf<Output[Key]> }[keyof Output]
  : never

type ItemOf<Value> = Value extends readonly (infer Item extends object)[] ? Item : never
