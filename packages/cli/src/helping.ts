/** Words with which this command starts itself to help: nothing else is loaded to tell them apart. */
export const HELP_READING = '--help-reading'
export const HELP_INDEXING = '--help-indexing'
export const HELP_SYNCING = '--help-syncing'
