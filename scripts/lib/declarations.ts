import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { entryPoints } from './bundle.ts'
import { ROOT } from './sources.ts'

/**
 * Writes the type declarations of a published package: one `.d.ts` for each entry point, and parts for what several of
 * them share, so that a type is declared once. They are made from the sources, file by file, without a type check.
 */
export async function rollUpDeclarations(folder: string): Promise<void> {
  const dir = join(ROOT, folder, 'dist')
  for (const name of readdirSync(dir)) if (name.endsWith('.d.ts')) rmSync(join(dir, name))
  const bundle = await rolldown({
    cwd: ROOT,
    input: entryPoints(folder),
    tsconfig: join(ROOT, 'tsconfig.base.json'),
    plugins: [
      dts({ cwd: ROOT, tsconfig: 'tsconfig.base.json', emitDtsOnly: true, oxc: true, sourcemap: false }),
    ],
  })
  await bundle.write({
    dir,
    format: 'es',
    chunkFileNames: 'part-[hash].js',
    minifyInternalExports: false,
    sourcemap: false,
  })
  await bundle.close()
}
