/** V26: actions: what the page may have done, the one that is asked for, and the requests. */
import type { ActionOutcome, ActionPreview, ActionRequest, ActionsAllowed } from '@dagline/core/protocol'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { get, post } from './api.js'

/** Opens the dialog of an action. */
export type AskAction = (request: ActionRequest) => void

const isAllowed = signal(false)
const open = signal<ActionRequest | null>(null)

/** The action whose dialog is open. */
export const asked: ReadonlySignal<ActionRequest | null> = open

/** Opens the dialog of an action; null where the page may do nothing. */
export const askAction: ReadonlySignal<AskAction | null> = computed(() =>
  isAllowed.value
    ? request => {
        open.value = request
      }
    : null,
)

/** Closes the dialog. */
export function closeAction(): void {
  open.value = null
}

/** Finds out whether the page may do anything. */
export async function startActions(): Promise<void> {
  const answer = await get<ActionsAllowed>('/api/actions').catch(() => null)
  isAllowed.value = answer?.isAllowed === true
}

/** Tries an action without writing anything. */
export function previewAction(request: ActionRequest): Promise<ActionPreview> {
  return post<ActionPreview>('/api/actions', request)
}

/** Carries out what a preview has shown. */
export function runAction(code: string): Promise<ActionOutcome> {
  return post<ActionOutcome>('/api/actions/run', { code })
}
