/**
 * The real recorder against us: every recording has exactly the live set and order that was really sent, and every
 * agent the call that spawned it. `DAGLINE_RECORDINGS` names further folders of recordings to try.
 */

import { listRecordings, type Recording } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { stateOf } from '../src/graph/state.js'
import type { Graph } from '../src/index.js'
import { graphOfRecording, liveIds, recordingDirs } from './recorded.js'
import { isForgotten } from './requests.js'

/** Headless automatic compaction of 1.0.66 leaves no trace in the file. */
const unreadable = new Set(['1.0.66/s10b_autocompact'])

describe.each(recordingDirs)('recordings in %s', dir => {
  it.each(listRecordings(dir).map(recording => [recording.name, recording] as const))(
    '[L3] [L10] %s: live is what was sent, agents have their calls, nothing is lost',
    (name, recording) => {
      const graph = graphOfRecording(recording)
      const { placed, folded, nodes } = graph.totals()
      expect(placed + folded).toBe(nodes)
      expect(spawnsOf(graph, recording)).toEqual(spawnsTold(recording))
      if (unreadable.has(name)) return
      for (const [path, told] of Object.entries(recording.truth.live)) {
        expect({ path, ...readLive(graph, recording, path) }).toEqual({
          path,
          live: told.live,
          silent: 0,
          unsent: [],
        })
      }
    },
  )
})

/** Our live set in the terms of the truth: those it names, in our order; what it says was not sent must be absent. */
function readLive(graph: Graph, recording: Recording, path: string): object {
  const told = recording.truth.live[path] ?? { live: [], oneOf: [], notLive: [] }
  const live = liveIds(graph, path)
  const isTold = new Set(told.live)
  const isUnsent = new Set(told.notLive)
  const lastRow = Math.max(...told.live.map(uuid => rowIn(graph, path, uuid)))
  const unsent = live.filter(uuid => isUnsent.has(uuid) && rowIn(graph, path, uuid) <= lastRow)
  return {
    live: live.filter(uuid => isTold.has(uuid)),
    silent: told.oneOf.filter(group => !group.some(uuid => live.includes(uuid))).length,
    unsent: isForgotten(recording, path, told.live.at(-1) ?? '', unsent) ? [] : unsent,
  }
}

function rowIn(graph: Graph, path: string, uuid: string): number {
  const file = graph.files().find(({ facts }) => facts.path === path)
  const node = file?.nodes.find(seen => graph.id(seen) === uuid)
  return node === undefined ? 0 : graph.node(node).row
}

/** The calls that spawned the agents, as far as the truth knows them. */
function spawnsTold({ truth }: Recording): Record<string, string> {
  return Object.fromEntries(Object.entries(truth.agents).filter(([, call]) => call.startsWith('toolu_')))
}

function spawnsOf(graph: Graph, recording: Recording): Record<string, string | null> {
  const told = spawnsTold(recording)
  const spawned = graph
    .agents()
    .flatMap(({ domain, spawnedBy }) =>
      [...domain.files].map(
        index => [stateOf(graph).files[index]?.facts.path ?? '', spawnedBy?.call.id ?? null] as const,
      ),
    )
  return Object.fromEntries(spawned.filter(([path]) => path in told))
}
