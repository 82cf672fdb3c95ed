/** `dagline/core/measure`: the same names as `@dagline/core/measure`, for the graphs that `dagline` gives. */
export * from '@dagline/core/measure'
