/** Notifications of the browser when a session begins to wait for the user. Off until the user asks for them. */
import type { NowPage, RunningSession } from '@dagline/core/protocol'
import { type ReadonlySignal, signal } from '@preact/signals'
import { get } from './api.js'
import { onRunning } from './live.js'
import { navigate, sessionPath } from './route.js'

const KEY = 'dagline-notify'

/** `blocked`: the browser does not allow it. */
type Notifying = 'off' | 'on' | 'blocked'

const state = signal<Notifying>('off')

/** Whether the user is notified. */
export const notifying: ReadonlySignal<Notifying> = state

/** Sessions that waited when the page looked last. */
let waiting: ReadonlySet<string> | null = null

/** Notifies as the user chose before. */
export function startNotify(): void {
  if (!('Notification' in window)) state.value = 'blocked'
  else if (remembered() && Notification.permission === 'granted') state.value = 'on'
  onRunning(() => void look())
  void look()
}

/** Turns notifications on or off; the browser asks for the permission once. */
export async function switchNotify(): Promise<void> {
  if (state.value === 'on') state.value = 'off'
  else state.value = (await Notification.requestPermission()) === 'granted' ? 'on' : 'blocked'
  try {
    localStorage.setItem(KEY, state.value)
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
  waiting = null
  await look()
}

/** What waits at the first look was known before. */
async function look(): Promise<void> {
  if (state.value !== 'on') return
  const page = await get<NowPage>('/api/now').catch(() => null)
  if (page === null) return
  const now = page.sessions.filter(session => session.state === 'waiting')
  const isNew = ({ session }: RunningSession): boolean => waiting !== null && !waiting.has(session)
  for (const session of now.filter(isNew)) notify(session)
  waiting = new Set(now.map(({ session }) => session))
}

function notify({ session, title, doing }: RunningSession): void {
  const shown = new Notification(title ?? 'A session waits for you', { body: doing, tag: session })
  shown.onclick = () => {
    window.focus()
    navigate(sessionPath(session))
  }
}

function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on'
  } catch {
    return false
  }
}
