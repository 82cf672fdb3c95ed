/** Nodes as a line of text, for tests without a browser. */
import { type ComponentChildren, isValidElement, type VNode } from 'preact'

/** Elements as `<tag attr=value>…</tag>`, components as `[Name attr=value]` with their children behind. */
export function drawn(node: ComponentChildren): string {
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (Array.isArray(node)) return node.map(drawn).join('')
  if (!isElement(node)) return `${node}`.replaceAll('<', '‹')
  const { type, props } = node
  if (typeof type === 'function') return `[${type.name}${attributes(props)}]${drawn(props.children)}`
  return `<${type}${attributes(props)}>${drawn(props.children)}</${type}>`
}

function isElement(node: ComponentChildren): node is VNode<{ children?: ComponentChildren }> {
  return isValidElement(node)
}

function attributes(props: object): string {
  return Object.entries(props)
    .filter(([name, value]) => name !== 'children' && value !== undefined)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join('')
}
