/** One bar: its parts from the bottom up, in the order of the series. */
export interface Bar {
  readonly key: string
  /** Under the bar. */
  readonly label: string
  /** In a sentence. */
  readonly name: string
  readonly parts: readonly number[]
}
