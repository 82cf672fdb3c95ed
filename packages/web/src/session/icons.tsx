/** Small icons, drawn because not all fonts have such characters. */
import type { VNode } from 'preact'

const PATHS = {
  fork: 'M5 2v12M5 10c0-4 6-2 6-7',
  compaction: 'M2 8h12M8 1v4M6 4l2 2l2-2M8 15v-4M6 12l2-2l2 2',
  error: 'M8 3v6M8 12v.5',
  junction: 'M2 8h11M9 4l4 4l-4 4',
  agent: 'M3 2v5c0 3 7 1 7 4m1.8 1.5a1.8 1.8 0 1 1-3.6 0a1.8 1.8 0 1 1 3.6 0',
}

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg class="row-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
