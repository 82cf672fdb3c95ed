/** A session as one file: who serves sessions says how it is made. */

/** What becomes of likely secrets: nothing is made where there are some, they are replaced, or they stay. */
export type SecretsWish = 'refuse' | 'redact' | 'allow'

export interface ExportOrder {
  readonly session: string
  /** The absolute path of the session's own transcript. */
  readonly path: string
  readonly secrets: SecretsWish
}

/** The file, or a sentence that says why there is none. */
export type Exported =
  | { readonly page: Uint8Array<ArrayBuffer> }
  | { readonly refusal: string; readonly isForSecrets: boolean }

/** Makes the file of a session. */
export type ExportHtml = (order: ExportOrder) => Promise<Exported>
