/** Small icons, drawn because not all fonts have such characters. */
import type { VNode } from 'preact'

/** A fork. */
export function ForkIcon(): VNode {
  return (
    <svg class="row-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M5 2v12M5 10c0-4 6-2 6-7" />
    </svg>
  )
}

/** A compaction. */
export function CompactionIcon(): VNode {
  return (
    <svg class="row-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 8h12M8 1v4M6 4l2 2l2-2M8 15v-4M6 12l2-2l2 2" />
    </svg>
  )
}

/** An error. */
export function ErrorIcon(): VNode {
  return (
    <svg class="row-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 3v6M8 12v.5" />
    </svg>
  )
}

/** Another session continues here. */
export function JunctionIcon(): VNode {
  return (
    <svg class="row-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 8h11M9 4l4 4l-4 4" />
    </svg>
  )
}

/** A subagent. */
export function SubagentIcon(): VNode {
  return (
    <svg class="row-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3 2v5c0 3 7 1 7 4" />
      <circle cx="10" cy="12.5" r="1.8" />
    </svg>
  )
}
