/**
 * Characters that act on a terminal or hide from its reader: control characters less tab and newline, separators of
 * lines, marks of direction, characters without width, and halves of characters.
 */
export const UNPRINTABLE: RegExp =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/u
