/** Events of the server while the page is open: progress of the index, and changed sessions. */
import type { ServerEvent, SyncStatus } from '@dagline/core/protocol'
import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type ConnectionState, listen } from './api.js'

/** The progress of the index. */
export interface SyncView {
  readonly status: SyncStatus
  /** Bytes per second; null while unknown. */
  readonly pace: number | null
}

const syncing = signal<SyncView | null>(null)
const state = signal<ConnectionState>('open')
const listeners = new Set<(sessions: readonly string[]) => void>()

/** The progress of the index; null before the first event. */
export const sync: ReadonlySignal<SyncView | null> = syncing

/** Whether the page is connected to the server. */
export const connection: ReadonlySignal<ConnectionState> = state

let paced: { readonly time: number; readonly bytes: number } | null = null

/** Starts to listen to the server. Returns a function that stops it. */
export function startLive(): () => void {
  return listen(handleEvent, now => {
    state.value = now
  })
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

function handleEvent(event: ServerEvent): void {
  if (event.kind === 'sync') noteSync(event.status)
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
