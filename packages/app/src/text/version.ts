/** The version of dagline. */
export const VERSION = '0.1.0'
