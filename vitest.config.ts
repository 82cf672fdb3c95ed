import { defineConfig } from 'vitest/config'
import './scripts/link.ts'

/** Workspace packages resolve to their sources, as `paths` of tsconfig.base.json has it: tests never need a build. */
const alias = [
  { find: /^@dagline\/core\/([\w-]+)$/, replacement: `${import.meta.dirname}/packages/core/src/$1/index.ts` },
  { find: /^@dagline\/([\w-]+)$/, replacement: `${import.meta.dirname}/packages/$1/src/index.ts` },
]

export default defineConfig({
  resolve: { alias },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'lab/**/*.test.ts',
    ],
    setupFiles: ['./vitest.setup.ts'],
    environment: 'node',
    testTimeout: 20_000,
    // A browser on a busy machine takes its time.
    expect: { poll: { timeout: 10_000 } },
    passWithNoTests: true,
  },
})
