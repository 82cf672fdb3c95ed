// From the types of JSON output to a JSON Schema.
import ts from 'typescript'

/** A JSON Schema, as far as types of output need it. */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string
  readonly enum?: readonly Literal[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
}

type Literal = string | number | boolean

/** The schemas of the types that an interface lists, one for each of its fields. */
export interface Schemas {
  /** The type of each field. */
  readonly outputs: Readonly<Record<string, Schema>>
  /** Types that have a name, by it. */
  readonly named: Readonly<Record<string, Schema>>
  /** Fields without a doc comment: `LsJson.turns`. */
  readonly undocumented: readonly string[]
}

/** Reads the types of all fields of an interface. */
export function readSchemas(checker: ts.TypeChecker, outputs: ts.Type): Schemas {
  const reader: Reader = { checker, named: new Map(), owners: new Map(), undocumented: [] }
  const fields = checker.getPropertiesOfType(outputs)
  const schemas = fields.map(field => [
    field.name,
    schemaOf(reader, checker.getTypeOfSymbol(field), field.name),
  ])
  const named = [...reader.named].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    outputs: Object.fromEntries(schemas),
    named: Object.fromEntries(named),
    undocumented: reader.undocumented,
  }
}

interface Reader {
  readonly checker: ts.TypeChecker
  readonly named: Map<string, Schema>
  /** The type that has a name: two of the same name would be taken for one. */
  readonly owners: Map<string, ts.Symbol>
  readonly undocumented: string[]
}

function schemaOf(reader: Reader, type: ts.Type, place: string): Schema {
  if (type.isUnion()) return unionOf(reader, type, place)
  if (type.isStringLiteral() || type.isNumberLiteral()) return { enum: [type.value] }
  const plain = plainType(type)
  if (plain !== null) return plain
  const [item] = reader.checker.isArrayLikeType(type)
    ? reader.checker.getTypeArguments(type as ts.TypeReference)
    : []
  if (item !== undefined) return { type: 'array', items: schemaOf(reader, item, `${place}[]`) }
  // `Readonly<...>` and the like are names for many types.
  const symbol = type.aliasTypeArguments === undefined ? (type.aliasSymbol ?? type.symbol) : type.symbol
  const isNamed = symbol !== undefined && /^[A-Z]/.test(symbol.name)
  return isNamed ? referenceTo(reader, symbol, type) : objectOf(reader, type, place)
}

/** A branded text is an intersection of a text and its brand. */
function plainType(type: ts.Type): Schema | null {
  const parts = type.isIntersection() ? type.types : [type]
  const has = (flag: ts.TypeFlags): boolean => parts.some(part => (part.flags & flag) !== 0)
  if (has(ts.TypeFlags.StringLike)) return { type: 'string' }
  if (has(ts.TypeFlags.NumberLike)) return { type: 'number' }
  if (has(ts.TypeFlags.BooleanLike)) return { type: 'boolean' }
  if (has(ts.TypeFlags.Null)) return { type: 'null' }
  return has(ts.TypeFlags.Unknown) ? {} : null
}

function unionOf(reader: Reader, type: ts.UnionType, place: string): Schema {
  const values = new Set<Literal>()
  const choices: Schema[] = []
  for (const part of type.types.filter(each => !(each.flags & ts.TypeFlags.Undefined))) {
    if (part.isStringLiteral() || part.isNumberLiteral()) values.add(part.value)
    else if (part.flags & ts.TypeFlags.BooleanLiteral)
      values.add(reader.checker.typeToString(part) === 'true')
    else choices.push(schemaOf(reader, part, place))
  }
  if (values.has(true) && values.has(false)) {
    choices.unshift({ type: 'boolean' })
    values.delete(true)
    values.delete(false)
  }
  if (values.size > 0) choices.unshift({ enum: [...values] })
  const [only, ...more] = choices
  return only !== undefined && more.length === 0 ? only : { anyOf: choices }
}

function referenceTo(reader: Reader, symbol: ts.Symbol, type: ts.Type): Schema {
  const { name } = symbol
  const owner = reader.owners.get(name)
  if (owner !== undefined && owner !== symbol) throw new Error(`Two types of output are called ${name}.`)
  if (owner === undefined) {
    reader.owners.set(name, symbol)
    reader.named.set(name, { ...description(reader, symbol), ...objectOf(reader, type, name) })
  }
  return { $ref: `#/$defs/${name}` }
}

function objectOf(reader: Reader, type: ts.Type, place: string): Schema {
  const fields = reader.checker.getPropertiesOfType(type)
  const others = reader.checker.getIndexInfoOfType(type, ts.IndexKind.String)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, fieldOf(reader, field, place)])),
    required: fields.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name),
    ...(others === undefined ? {} : { additionalProperties: schemaOf(reader, others.type, place) }),
  }
}

function fieldOf(reader: Reader, field: ts.Symbol, place: string): Schema {
  const path = `${place}.${field.name}`
  const text = description(reader, field)
  if (text.description === undefined) reader.undocumented.push(path)
  return { ...text, ...schemaOf(reader, reader.checker.getTypeOfSymbol(field), path) }
}

function description({ checker }: Reader, symbol: ts.Symbol): Pick<Schema, 'description'> {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ')
  return text === '' ? {} : { description: text }
}
