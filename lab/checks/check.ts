/** Checks beside the cases: they need more than one resume. */

/** One sentence, and whether it holds with a release. */
export interface Check {
  readonly version: string
  readonly what: string
  readonly isRight: boolean
  /** What was seen where it does not hold. */
  readonly seen: string
  /** Kinds of faults that the doctor has named in it. */
  readonly faults?: readonly string[]
}

/** Whether something of a check is so, and what was seen. */
export type Finding = readonly [what: string, isRight: boolean, seen: string]

/** The checks of one name with a release. */
export function checksOf(
  { version, name, faults }: { readonly version: string; readonly name: string } & Pick<Check, 'faults'>,
  findings: readonly Finding[],
): readonly Check[] {
  const more = faults === undefined ? {} : { faults }
  return findings.map(([what, isRight, seen]) => ({
    version,
    what: `${name}: ${what}`,
    isRight,
    seen,
    ...more,
  }))
}
