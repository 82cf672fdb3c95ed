import { defineConfig } from 'vitest/config'

/** Workspace packages resolve to their TypeScript sources: tests never need a build. */
const conditions = ['@dagline/source', 'module', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
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
