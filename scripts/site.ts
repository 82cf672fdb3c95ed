// Builds the documentation site into site/, or into the folder that is given: npm run site [-- FOLDER]
import { join } from 'node:path'
import { ROOT } from './lib/sources.ts'
import { buildSite } from './site/build.ts'

const [folder = join(ROOT, 'site')] = process.argv.slice(2)
const pages = await buildSite(folder)
console.log(`site: ${pages.length} pages in ${folder}`)
