/** A Trino server on the loopback address, with a folder as its file system. */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './s3-server.js'

/** A server that answers statements. */
export interface Trino {
  readonly run: (sql: string) => Promise<readonly (readonly unknown[])[]>
  readonly close: () => Promise<void>
}

const CONFIG: Readonly<Record<string, (port: number, folder: string) => string>> = {
  'node.properties': (_, folder) =>
    `node.environment=test\nnode.id=one\nnode.data-dir=${folder}/trino-data\n`,
  'jvm.config': () => '-server\n-Xmx2G\n',
  'config.properties': port =>
    `coordinator=true\nnode-scheduler.include-coordinator=true\nhttp-server.http.port=${port}\ndiscovery.uri=http://127.0.0.1:${port}\n`,
  'catalog/hive.properties': (_, folder) =>
    `connector.name=hive\nhive.metastore=file\nhive.metastore.catalog.dir=local:///trino-metastore\nfs.native-local.enabled=true\nlocal.location=${folder}\nhive.parquet.time-zone=UTC\n`,
}

/** Starts the server of a folder; `local:///` is another one. */
export async function startTrino(server: string, folder: string): Promise<Trino> {
  const port = await freePort()
  const etc = join(folder, 'trino-etc')
  mkdirSync(join(etc, 'catalog'), { recursive: true })
  mkdirSync(join(folder, 'trino-metastore'), { recursive: true })
  for (const [name, text] of Object.entries(CONFIG)) writeFileSync(join(etc, name), text(port, folder))
  const home = process.env['JAVA_HOME'] ?? ''
  const env = { ...process.env, PATH: `${join(home, 'bin')}:${process.env['PATH']}` }
  const words = ['run', `--etc-dir=${etc}`]
  const child = spawn(join(server, 'bin', 'launcher'), words, { env, stdio: 'ignore', detached: true })
  const closed = new Promise(resolve => child.on('close', resolve))
  const url = `http://127.0.0.1:${port}`
  while (!(await isUp(url)))
    await Promise.race([setTimeout(500), closed.then(() => Promise.reject(new Error('no Trino')))])
  return {
    run: async sql => await ask(url, sql),
    close: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      await closed
    },
  }
}

async function isUp(url: string): Promise<boolean> {
  try {
    const info: { readonly starting?: boolean } = JSON.parse(await (await fetch(`${url}/v1/info`)).text())
    return info.starting === false
  } catch {
    return false
  }
}

interface Page {
  readonly nextUri?: string
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: { readonly message: string }
}

async function ask(url: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const headers = {
    'X-Trino-User': 'test',
    'X-Trino-Catalog': 'hive',
    'X-Trino-Schema': 'dagline',
    'X-Trino-Time-Zone': 'UTC',
  }
  const rows: (readonly unknown[])[] = []
  let response = await fetch(`${url}/v1/statement`, { method: 'POST', headers, body: sql })
  for (;;) {
    const page: Page = JSON.parse(await response.text())
    if (page.error !== undefined) throw new Error(`${page.error.message}: ${sql}`)
    rows.push(...(page.data ?? []))
    if (page.nextUri === undefined) return rows
    response = await fetch(page.nextUri, { headers })
  }
}
