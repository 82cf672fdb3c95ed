/** Messages in their order, and the rows of a new session. */

export {
  createMessageQueue,
  type Delivered,
  type MessageQueue,
  type Onto,
  type QueueOptions,
  type Waiting,
} from './message-queue.js'
export {
  type Answer,
  type AnswerBlock,
  type PromptContent,
  type SessionClock,
  type SessionOrigin,
  type SessionWriter,
  startSession,
  type ToolAnswer,
} from './session-writer.js'
export { type StreamedMessage, type StreamedRun, streamRuns, type Uuid } from './streamed.js'
