/** Two processes on one session: both append, each to its own leaf (rule F11). */
import type { Process } from './model.js'
import { startProcess } from './process.js'
import { newHead, takeSide } from './rewind.js'
import type { Steps } from './speech.js'
import { finish, turn } from './turn.js'

/** Lets a second process write along for a few turns; gives back the one that wrote last. */
export function writeTogether(p: Process): Process {
  const { rng } = p.world
  const at = p.state.tip
  // Neither may rewind to behind the parting: the other would be left on a side that was never chosen.
  p.state = { ...p.state, points: [], answered: null }
  const q = startProcess(p.world, p.style, p.file, p.state)
  const mine = turns(p)
  const theirs = turns(q)
  mine.next()
  theirs.next()
  takeSide(p, { at, old: newHead(p), head: newHead(p), kind: 'two-writers' })
  takeSide(q, { at, old: newHead(q), head: newHead(q), kind: 'two-writers' })
  interleave(mine, theirs, () => rng.chance(0.5))
  // The last word is a whole turn: the end of a turn, written late, would leave open whose side is live.
  const last = rng.chance(0.5) ? p : q
  finish(turn(last))
  last.notices = p.notices
  return last
}

function* turns(p: Process): Steps {
  yield* turn(p)
  yield* turn(p)
}

function interleave(one: Steps, other: Steps, toss: () => boolean): void {
  for (;;) {
    const done = (toss() ? one : other).next().done
    if (!done) continue
    finish(one)
    finish(other)
    return
  }
}
