/** `dagline/core`: the same names as `@dagline/core`, for the graphs that `dagline` gives. */
export * from '@dagline/core'
