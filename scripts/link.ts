// Links the packages of this workspace that an earlier `npm ci` did not know: a checkout that gets a new package goes on
// working without another install.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

for (const folder of readdirSync(join(root, 'packages'))) {
  const description = join(root, 'packages', folder, 'package.json')
  if (!existsSync(description)) continue
  const { name }: { readonly name: string } = JSON.parse(readFileSync(description, 'utf8'))
  const link = join(root, 'node_modules', name)
  if (!name.startsWith('@dagline/') || existsSync(link)) continue
  mkdirSync(join(link, '..'), { recursive: true })
  symlinkSync(join('..', '..', 'packages', folder), link, 'junction')
}
