/** The order of test files: those that take longest first, so that no core waits for the last one. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that start a browser, then tests that start the command or install packages; all others take moments. */
const SLOW = [/^packages\/web\/test\//, /^(packages\/cli\/test|scripts)\//, /\/test\//]

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => this.rank(a) - this.rank(b))
  }

  private rank({ moduleId }: TestSpecification): number {
    const path = moduleId.slice(this.ctx.config.root.length + 1)
    const rank = SLOW.findIndex(pattern => pattern.test(path))
    return rank < 0 ? SLOW.length : rank
  }
}
