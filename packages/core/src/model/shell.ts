/** A text as one word of a command line that somebody may copy: quoted where a shell would read it otherwise. */
export function shellWord(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
