/** `dagline/core/view`: the same names as `@dagline/core/view`, for the graphs that `dagline` gives. */
export * from '@dagline/core/view'
