/** HU56: the command for a session of a hub in place of the one at home; null where only the machine of the session helps. */
export function pushedFix(fix: string | null): string | null {
  const [program, command = '', session = ''] = fix?.split(' ') ?? []
  if (program !== 'dagline') return fix
  if (command === 'repair') return `dagline checkout ${session} --hub`
  return WITH_HUB.has(command) ? `${fix} --hub` : null
}

/** Commands that find a session on a hub. */
const WITH_HUB: ReadonlySet<string> = new Set(['branches', 'checkout', 'export', 'trim'])
