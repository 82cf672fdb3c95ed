/** What became of a line. */

/** Whether a line did not become the conversation: rewound, taken back or retried, and not a copy of it. */
export function isAbandoned({ status }: { readonly status: string }): boolean {
  return status !== 'live' && status !== 'copy'
}
