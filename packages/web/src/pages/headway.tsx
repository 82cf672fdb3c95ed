import type { Headway as Progress } from '@dagline/core'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { count } from '../parts/format.js'

/** An answer that grows is asked for this often, in milliseconds. */
const PAUSE = 700

/** Whether work behind the page is still going on; then it is asked for again soon. */
export function useHeadway(survey: Progress | undefined, reload: () => void): boolean {
  const isGrowing = survey !== undefined && survey.done < survey.of
  useEffect(() => {
    if (!isGrowing) return undefined
    const timer = setTimeout(reload, PAUSE)
    return () => clearTimeout(timer)
  }, [isGrowing, survey, reload])
  return isGrowing
}

/** How far it is; nothing once it is done. */
export function Headway({ survey }: { readonly survey: Progress }): JSX.Element | null {
  if (survey.done >= survey.of) return null
  return (
    <p class="headway" role="status">
      <progress max={survey.of} value={survey.done} aria-label="Conversations that were looked at" />
      looking through your conversations: {count(survey.done)} of {count(survey.of)}
    </p>
  )
}
