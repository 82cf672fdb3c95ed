/**
 * Resolves each import of a source once. Vitest resolves and reports an import whenever it runs, and a command that runs
 * in a test imports its parts each time: a tenth of the time of tests with thousands of commands.
 */
import { type ResolveFnOutput, registerHooks } from 'node:module'

const known = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '', importAttributes } = context
    const isPlain =
      specifier.startsWith('.') && parentURL.endsWith('.ts') && Object.keys(importAttributes).length === 0
    if (!isPlain) return next(specifier, context)
    const key = `${parentURL} ${specifier}`
    const resolved = known.get(key) ?? next(specifier, context)
    known.set(key, resolved)
    return { ...resolved, shortCircuit: true }
  },
})
