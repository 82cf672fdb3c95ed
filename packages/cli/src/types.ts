/** `dagline/types`: the types of fields of what functions take and return, down to the last one. */
export type * from '@dagline/app/types'
