/** `dagline commits`: the sessions behind commits. */
import { resolve } from 'node:path'
import { type AddCommand, defineCommand, INDEX, text } from '../command.js'
import { unreadField } from '../console.js'
import { commitFacts, commitLines } from '../print/commits.js'

export const commitsCommand: AddCommand = defineCommand({
  usage: 'commits [rev]',
  description:
    'List the sessions and prompts behind a commit, or a range such as main..HEAD (default: HEAD).',
  notes: `
A session is behind a commit if its calls wrote lines that the commit added, or if one of its commands made
the commit.
`,
  options: {
    index: INDEX,
    repo: text('--repo <folder>', 'a folder of the repository (default: the working directory)'),
  },
  examples: [
    'dagline commits',
    'dagline commits main..HEAD',
    'dagline commits HEAD~1 --json | jq .commits[].sessions',
  ],
  run: async (console, [rev = 'HEAD'], { index, repo }) => {
    const commits = await console.history.commits(rev, { folder: resolve(repo ?? '.'), index })
    if (console.options.json)
      await console.printJson('commits', {
        commits: { list: commits.map(commitFacts) },
        ...unreadField(console),
      })
    else if (commits.length === 0) console.note(`There is no commit in ${rev}.`)
    else await console.page(() => commits.flatMap(commit => [...commitLines(console, commit)]))
  },
})
