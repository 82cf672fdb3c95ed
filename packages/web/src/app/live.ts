/** Events of the server while the page is open: progress of the index, and changed sessions. */
import type { ServerEvent, SyncStatus } from '@dagline/core/protocol'
import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** The progress of the index. */
export interface SyncView {
  readonly status: SyncStatus
  /** Bytes per second; null while unknown. */
  readonly pace: number | null
}

const syncing = signal<SyncView | null>(null)
const state = signal<Connection>('open')
const listeners = new Set<(sessions: readonly string[]) => void>()
const runningListeners = new Set<() => void>()

/** The progress of the index; null before the first event. */
export const sync: ReadonlySignal<SyncView | null> = syncing

/** `locked`: the server answers, but has another token than this browser; on a hub: the login has ended. */
type Connection = 'open' | 'lost' | 'locked'

/** Whether sessions are still being read for the first time, or again: what is missing may yet come. */
export function isIndexing(): boolean {
  return syncing.value?.status.state === 'running'
}

/** Whether the page is connected to the server. */
export const connection: ReadonlySignal<Connection> = state

let paced: { readonly time: number; readonly bytes: number } | null = null

/** Milliseconds until the first and between later attempts to reconnect. */
const FIRST_WAIT = 500
const LONGEST_WAIT = 5000

let wait = FIRST_WAIT

/** Listens to the events of the server, and reconnects at growing intervals. */
export function startLive(): void {
  const source = new EventSource('/api/events')
  source.onopen = () => {
    wait = FIRST_WAIT
    const wasLost = state.value !== 'open'
    state.value = 'open'
    // Events may have been missed: all sessions may have changed.
    if (wasLost) handleEvent({ kind: 'changed', sessions: [] })
  }
  source.onerror = () => {
    source.close()
    void noteLoss()
    setTimeout(startLive, wait)
    wait = Math.min(wait * 2, LONGEST_WAIT)
  }
  source.onmessage = ({ data }) => handleEvent(JSON.parse(data))
}

/** An event stream does not say why it failed: a request does. */
async function noteLoss(): Promise<void> {
  if (connection.peek() === 'open') state.value = 'lost'
  const answer = await fetch('/', { method: 'HEAD', redirect: 'manual' }).catch(() => null)
  const isStillLost = connection.peek() !== 'open'
  // A hub leads to its login.
  const isLocked = answer?.status === 401 || answer?.type === 'opaqueredirect'
  if (isStillLost) state.value = isLocked ? 'locked' : 'lost'
}

/** Updates the progress of the index. */
export function noteSync(status: SyncStatus): void {
  syncing.value = { status, pace: paceOf(status, performance.now()) }
}

/** Calls back when sessions change; an empty list stands for all of them. Returns a function that stops it. */
export function onChanges(listener: (sessions: readonly string[]) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Calls back when sessions change, while the component is mounted. */
export function useChanges(onChange: (sessions: readonly string[]) => void): void {
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => onChanges(sessions => latest.current(sessions)), [])
}

/** Calls back when a process of Claude Code begins, ends or does something else. Returns a function that stops it. */
export function onRunning(listener: () => void): () => void {
  runningListeners.add(listener)
  return () => {
    runningListeners.delete(listener)
  }
}

function handleEvent(event: ServerEvent): void {
  if (event.kind === 'sync') noteSync(event.status)
  else if (event.kind === 'running') for (const listener of runningListeners) listener()
  else for (const listener of listeners) listener(event.sessions)
}

function paceOf(status: SyncStatus, time: number): number | null {
  if (status.state !== 'running') {
    paced = null
    return null
  }
  const before = syncing.value?.pace ?? null
  if (paced === null || status.bytesDone < paced.bytes) paced = { time, bytes: status.bytesDone }
  const seconds = (time - paced.time) / 1000
  if (seconds < 0.4) return before
  const fresh = (status.bytesDone - paced.bytes) / seconds
  paced = { time, bytes: status.bytesDone }
  return before === null ? fresh : 0.6 * before + 0.4 * fresh
}
