// The fields of JSON output as tables for readers, and as one schema for programs.
import type { Schema, Schemas } from './json-schema.ts'

const HEAD = `# JSON output

Generated from the types by \`node scripts/check-api.ts --write\`. The package has the same as a JSON Schema: \`dagline/schema.json\`
has one for each command in \`properties\`.

With \`--json\` a command prints one object, which has \`"dagline": 1\`, the version of the format, besides the fields below;
\`tail\`, \`serve\` and \`archive --watch\` print one object on each line. With \`--jsonl\` a list prints its items instead: each on a line, as an
object with the version and the fields of an item. Fields may be added, and never change their meaning. Times are
ISO 8601 in UTC. Paths are below the root that they were found under.`

/** docs/JSON.md: tables of all outputs, and behind them those of the objects that they share. */
export function jsonPage({ outputs, named }: Schemas): string {
  const own = commandsByOutput(outputs).map(([commands, schema]) =>
    section(`dagline ${commands.join(', ')}`, schema, named),
  )
  const roots = new Set(Object.values(outputs).flatMap(({ $ref }) => $ref ?? []))
  const inside = JSON.stringify(named)
  const shared = Object.entries(named)
    .filter(([name]) => !roots.has(`#/$defs/${name}`) || inside.includes(`"#/$defs/${name}"`))
    .map(([name, schema]) => section(name, schema, named))
  return `${[HEAD, ...own, '# Objects', ...shared].join('\n\n')}\n`
}

/** Commands that print the same share a table. */
function commandsByOutput(outputs: Schemas['outputs']): readonly (readonly [readonly string[], Schema])[] {
  const groups = new Map<string, readonly [string[], Schema]>()
  for (const [command, schema] of Object.entries(outputs)) {
    const group = groups.get(JSON.stringify(schema)) ?? [[], schema]
    groups.set(JSON.stringify(schema), group)
    group[0].push(command)
  }
  return [...groups.values()]
}

/** schema.json, with each output and object on a line. Objects are open: programs must expect fields that are added later. */
export function schemaFile({ outputs, named }: Schemas): string {
  const version = { properties: { dagline: { const: 1 } }, required: ['dagline'] }
  const lines = (schemas: readonly (readonly [string, object])[]): string =>
    schemas.map(([name, schema]) => `  ${JSON.stringify(name)}: ${JSON.stringify(schema)}`).join(',\n')
  const properties = Object.entries(outputs).map(
    ([name, schema]) => [name, { allOf: [version, schema] }] as const,
  )
  return `{
 "$schema": "https://json-schema.org/draft/2020-12/schema",
 "title": "What the commands of dagline print with --json, by command",
 "type": "object",
 "properties": {\n${lines(properties)}\n },
 "$defs": {\n${lines(Object.entries(named))}\n }
}
`
}

function section(title: string, schema: Schema, named: Schemas['named']): string {
  const object = named[nameIn(schema)] ?? schema
  const rows = [...fieldRows(object, '')]
  const table = rows.length === 0 ? [] : [['| field | type | meaning |', '|---|---|---|', ...rows].join('\n')]
  const choices = object.anyOf === undefined ? [] : [`${capital(typeText(object))}.`]
  return [`## ${title}`, ...[object.description ?? []].flat(), ...choices, ...table].join('\n\n')
}

/** One row for each field; objects without a name are written out, with dots. */
function* fieldRows({ properties = {}, required = [] }: Schema, before: string): Generator<string> {
  for (const [name, schema] of Object.entries(properties)) {
    const isOptional = !required.includes(name)
    const meaning = [schema.description ?? '', ...(isOptional ? ['Absent where there is none.'] : [])]
    yield `| \`${before}${name}\` | ${typeText(schema)} | ${cell(meaning.filter(Boolean).join(' '))} |`
    const inner = innerObject(schema)
    if (inner !== null) yield* fieldRows(inner.object, `${before}${name}${inner.path}.`)
  }
}

/** An object without a name, in a list or not, or beside null. */
function innerObject(schema: Schema): { readonly object: Schema; readonly path: string } | null {
  if (schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0)
    return { object: schema, path: '' }
  if (schema.items !== undefined) {
    const inner = innerObject(schema.items)
    return inner && { object: inner.object, path: `[]${inner.path}` }
  }
  return schema.anyOf?.map(innerObject).find(inner => inner !== null) ?? null
}

function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return `[${nameIn(schema)}](#${nameIn(schema).toLowerCase()})`
  if (schema.enum !== undefined) return schema.enum.map(value => `\`${JSON.stringify(value)}\``).join(', ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeText).join(' or ')
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`
  if (schema.type === 'object' && schema.additionalProperties)
    return `object: each value ${typeText(schema.additionalProperties)}`
  return schema.type ?? 'anything'
}

function nameIn({ $ref = '' }: Schema): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
