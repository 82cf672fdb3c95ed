/** A tool as a value: its name, what it is for, its arguments, and what it answers. */
import type { FaceHistory } from '@dagline/app'
import { z } from 'zod'
import type { Answer } from './answer.js'

/** A tool of the server. All of them only read. */
export interface Tool<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  /** For the model: when to use it. */
  readonly description: string
  readonly input: S
  readonly run: (history: FaceHistory, given: z.infer<S>) => Promise<Answer>
}

/** Declares a tool. */
export function defineTool<S extends z.ZodObject>(tool: Tool<S>): Tool {
  // The server checks arguments against `input` before it calls `run`.
  return { ...tool, run: (history, given) => tool.run(history, tool.input.parse(given)) }
}

/** How much an answer may hold, unless the caller says otherwise. */
const USUAL_TOKENS = 4000

/** The argument that all tools have. */
export const MAX_TOKENS: z.ZodDefault<z.ZodNumber> = z
  .number()
  .int()
  .min(300)
  .max(25_000)
  .default(USUAL_TOKENS)
  .describe('The answer takes at most so many tokens (estimated).')

/** The arguments of tools that list. */
export const FROM: z.ZodDefault<z.ZodNumber> = z
  .number()
  .int()
  .min(1)
  .default(1)
  .describe('Number of the first item of the list, to go on where an answer ended.')

/** An optional text. */
export function text(description: string): z.ZodOptional<z.ZodString> {
  return z.string().min(1).max(2000).optional().describe(description)
}

export const SESSION =
  'A session: its id or the beginning of it, a name, "this" for the session that you are in, or "latest" for the newest one of this project.'

export const REF =
  'A session, branch, subagent or entry, as answers name them: 4539d2d0, 4539d2d0@7e083490, 4539d2d0:7e083490; "this" for the session that you are in, "latest" for the newest one.'

/** Which sessions are meant. */
interface Scope {
  readonly project: z.ZodOptional<z.ZodString>
  readonly everywhere: z.ZodDefault<z.ZodBoolean>
  readonly since: z.ZodOptional<z.ZodString>
  readonly until: z.ZodOptional<z.ZodString>
}

/** Filters of lists. */
export const SCOPE: Scope = {
  project: text(
    'Only this project: a path, a folder name or a part of either. Without it: the project of the working directory, if it has sessions.',
  ),
  everywhere: z
    .boolean()
    .default(false)
    .describe('All projects instead of the one of the working directory.'),
  since: text('Only from this time: 2026-03-01, 2026-03, 30d, yesterday.'),
  until: text('Only up to this time.'),
}
