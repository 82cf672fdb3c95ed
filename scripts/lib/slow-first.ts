/** The order of test files: those that take longest first, so that no core waits for the last one. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Beginnings of paths: files that take longest by themselves, then folders whose tests start browsers or commands. */
const SLOW = [
  'packages/cli/test/hostile-files',
  'packages/web/test/session',
  'packages/app/test/corrupted',
  'packages/app/test/engines',
  'packages/web/test/',
  'packages/cli/test/archive.',
  'packages/cli/test/edit',
  'packages/core/test/depth',
  'test/',
  'packages/cli/test/',
  'packages/store/test/',
  'packages/core/test/',
]

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => this.rank(a) - this.rank(b))
  }

  private rank({ moduleId }: TestSpecification): number {
    const path = moduleId.slice(this.ctx.config.root.length + 1)
    const rank = SLOW.findIndex(start => path.startsWith(start))
    return rank < 0 ? SLOW.length : rank
  }
}
