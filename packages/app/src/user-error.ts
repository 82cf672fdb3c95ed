/** The request cannot be met. The message is for the user: what happened, then what to do. */
export class UserError extends Error {}
