/** Small drawings: fonts do not have these signs everywhere. */
import type { VNode } from 'preact'

/** One line becomes two. */
export function ForkSign(): VNode {
  return (
    <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M5 2v12M5 10c0-4 6-2 6-7" />
    </svg>
  )
}

/** A line across. */
export function CompactionSign(): VNode {
  return (
    <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 8h12M8 1v4M6 4l2 2l2-2M8 15v-4M6 12l2-2l2 2" />
    </svg>
  )
}

/** Something went wrong. */
export function ErrorSign(): VNode {
  return (
    <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 3v6M8 12v.5" />
    </svg>
  )
}

/** It goes on elsewhere. */
export function JunctionSign(): VNode {
  return (
    <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 8h11M9 4l4 4l-4 4" />
    </svg>
  )
}

/** Somebody else at work. */
export function AgentSign(): VNode {
  return (
    <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3 2v5c0 3 7 1 7 4" />
      <circle cx="10" cy="12.5" r="1.8" />
    </svg>
  )
}
