/** HU60: who typed the prompts of the session that is shown. */
import { type Signal, signal } from '@preact/signals'

/** The name of a reader of their own session. */
export const YOU = 'You'

/** `You`, or on a hub the name of the colleague whose session it is. */
export const typist: Signal<string> = signal(YOU)
