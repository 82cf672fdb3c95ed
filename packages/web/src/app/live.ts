/** What the server tells while the page is open: how far the index is, and what has changed. */
import type { ServerEvent, SyncStatus } from '@dagline/core'
import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { events, type LineState } from './api.js'

/** How far the index is, with the pace of the last seconds. */
export interface SyncView {
  readonly status: SyncStatus
  /** Bytes in a second; null where it is too early to say. */
  readonly pace: number | null
}

const syncing = signal<SyncView | null>(null)
const state = signal<LineState>('open')
const listeners = new Set<(sessions: readonly string[]) => void>()

/** How far the index is; null before the server said anything. */
export const sync: ReadonlySignal<SyncView | null> = syncing

/** Whether the server can be heard. */
export const line: ReadonlySignal<LineState> = state

let paced: { readonly time: number; readonly bytes: number } | null = null

/** Begins to listen. Returns what ends it. */
export function startLive(): () => void {
  return events(hear, heard => {
    state.value = heard
  })
}

/** Takes note of how far the index is. */
export function noteSync(status: SyncStatus): void {
  syncing.value = { status, pace: paceOf(status, performance.now()) }
}

/** Calls back when sessions changed; an empty list stands for all of them. Returns what ends it. */
export function onChanges(listener: (sessions: readonly string[]) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The same, while a component is there. */
export function useChanges(onChange: (sessions: readonly string[]) => void): void {
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => onChanges(sessions => latest.current(sessions)), [])
}

function hear(event: ServerEvent): void {
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
