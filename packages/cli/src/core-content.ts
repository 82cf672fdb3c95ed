/** `dagline/core/content`: the same names as `@dagline/core/content`, for the graphs that `dagline` gives. */
export * from '@dagline/core/content'
