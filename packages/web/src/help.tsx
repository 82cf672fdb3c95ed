import type { JSX } from 'preact'
import { HOME_KEYS } from './pages/home-keys.js'
import { SEARCH_KEYS } from './pages/search-keys.js'
import { Dialog } from './parts/dialog.js'
import type { KeyHelp } from './parts/keys.js'
import { SESSION_KEYS } from './session/keys.js'

const EVERYWHERE: readonly KeyHelp[] = [
  { keys: '/', does: 'search everything' },
  { keys: 'h', does: 'all sessions' },
  { keys: 't', does: 'system, light or dark' },
  { keys: '?', does: 'this help' },
  { keys: 'Esc', does: 'leave a field, close a dialog' },
]

const GROUPS: readonly (readonly [string, readonly KeyHelp[]])[] = [
  ['Everywhere', EVERYWHERE],
  ['Sessions', HOME_KEYS],
  ['A session', SESSION_KEYS],
  ['Search', SEARCH_KEYS],
]

/** All keys of the viewer. */
export function Help({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div class="help">
        {GROUPS.map(([name, keys]) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {keys.map(line => (
                <div key={line.keys}>
                  <dt>{keysOf(line.keys)}</dt>
                  <dd>{line.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function keysOf(keys: string): JSX.Element[] {
  return keys.split(' ').map(key => <kbd key={key}>{key}</kbd>)
}
