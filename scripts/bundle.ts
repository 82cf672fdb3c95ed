// Builds the JavaScript of the published packages.
//
// packages/core/dist/index.js, ...     @dagline/core, one file for each entry point
// packages/cli/dist/dagline.js         the command; part-*.js what its commands load when they run
// packages/cli/dist/page/app.js, .css  the viewer; page/part-*.js what it loads when it needs it
// packages/cli/dist/page/file.js, .css the page inside an exported file
// packages/cli/dist/page/index.html    what the server sends first
import { bundleCommand, bundleCore } from './lib/bundle.ts'

await Promise.all([bundleCore(), bundleCommand()])
