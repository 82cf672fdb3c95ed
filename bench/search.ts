/** The times of searches in an index that is there: `npm run bench:search -- INDEX`. */
import { printSearchTimes } from './search-times.ts'

const [, , path] = process.argv
if (path === undefined)
  process.stderr.write('Give the path of an index, which `dagline sync --index FILE` makes.\n')
else printSearchTimes(path)
