/** Every kind of fault has a class of cases in the lab. */

import { examine, FAULT_KINDS } from '@dagline/core/faults'
import type { DiskFacts } from '@dagline/core/resume'
import { expect, it } from 'vitest'
import { readSession } from '../harness/graph.ts'
import { sessionsBeside } from './beside.ts'
import { brokenSessions } from './broken.ts'
import type { FoundSession } from './case.ts'
import { generatedSessions } from './generated.ts'

/** What Claude Code keeps transcripts for, in days. */
const KEPT = 30

/** Faults that the command finds by what lies beside a file, and where the lab has them. */
const BESIDE = {
  secret: 'secret in a prompt',
  // `lab/checks/folder.ts`: it needs more than one resume.
  'wrong-folder': null,
  // A release that is started in another folder looks nowhere else: `packages/app/test/health.test.ts` has it.
  'missing-folder': null,
} as const

function faultsOf(found: FoundSession): readonly string[] {
  const { graph, path, survey } = readSession(found.session, found.text)
  const disk: DiskFacts = {
    folder: null,
    hasFolder: () => true,
    newPlacesOf: () => [],
    isInArchive: () => true,
    daysLeft: KEPT - (found.age ?? 1),
    hasOutput: () => found.folder !== null,
  }
  const [health] = examine(graph, { surveys: new Map([[path, { ...survey, disk }]]) })
  return health?.faults.map(({ id }) => id) ?? []
}

it('[D13] every kind of fault is met by some case of the lab', { timeout: 120_000 }, () => {
  const sessions = [...brokenSessions(), ...sessionsBeside(), ...generatedSessions()]
  const met = new Set(sessions.flatMap(faultsOf))
  const classes = new Set(sessions.map(({ kind }) => kind))
  for (const [id, kind] of Object.entries(BESIDE)) if (kind === null || classes.has(kind)) met.add(id)
  expect(FAULT_KINDS.map(({ id }) => id).filter(id => !met.has(id))).toEqual([])
})
