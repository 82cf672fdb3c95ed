/** What `bin/dagline.js` loads for a status line instead of the whole command. */
import { printStatusLine } from './statusline.js'

// A status line is never worth a message: without one Claude Code shows none.
await printStatusLine().catch(() => {})
