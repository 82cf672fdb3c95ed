/** Secrets of every kind in every place of a session, and what is left of them in a text. */
import fc from 'fast-check'
import { createKnownTexts } from '../../core/src/redact/known.js'
import { ENCODINGS, PLANTS } from '../../core/test/redact-plants.js'
import { PLACES } from './redact-places.js'

/** All formats with everything take half a minute: a short run has everything in three of them, and a quarter in all. */
export const isLong: boolean = process.env['DAGLINE_RUNS'] !== undefined

export const kinds: readonly (readonly [string, fc.Arbitrary<{ secret: string; text: string }>])[] = [
  ...PLANTS.entries(),
]
export const places: readonly string[] = Object.keys(PLACES)
const encodings = Object.entries(ENCODINGS)

/** A secret, the text that it stands in, and where that is. */
export interface Planted {
  readonly name: string
  readonly place: string
  readonly encoding: string
  readonly secret: string
  readonly text: string
}

/** Every kind in every place: as it is, and in one of the encodings. Every secret is another one. */
export function plantsFor(encoded: boolean): readonly Planted[] {
  return kinds.flatMap(([name, plant], kind) => {
    const chosen = isLong || !encoded ? places : places.filter((_, at) => (at + kind) % 9 === 0)
    const made = fc.sample(plant, { numRuns: chosen.length, seed: 1000 * (encoded ? 2 : 1) + kind })
    return chosen.flatMap((place, at): readonly Planted[] => {
      const one = made[at]
      if (one === undefined) return []
      const [encoding, encode] = (encoded ? encodings[(kind + at) % encodings.length] : undefined) ?? [
        'plain',
        String,
      ]
      if (encoding.startsWith('base64') && /[^ -~\n]/.test(one.text)) return []
      return [{ name, place, encoding, secret: one.secret, text: encode(one.text) }]
    })
  })
}

/** The plants that are still in a text. */
export function survivors(text: string, plants: readonly Planted[]): readonly string[] {
  const known = createKnownTexts()
  const owners = new Map<string, Planted>()
  for (const plant of plants)
    for (const part of [plant.secret, plant.encoding === 'plain' ? plant.secret : partOf(plant)]) {
      known.add(part, 'secret', true)
      owners.set(part, plant)
    }
  const found = [text, text.replaceAll('\\', '')].flatMap(each =>
    known.find(each).map(({ start, end }) => owners.get(each.slice(start, end))),
  )
  return [...new Set(found.map(plant => `${plant?.name} | ${plant?.place} | ${plant?.encoding}`))]
}

/** What of an encoded text only its secret can be: the encoded secret. Base64 depends on what is before it: its middle. */
function partOf({ encoding, secret, text }: Planted): string {
  if (!encoding.startsWith('base64')) return (ENCODINGS[encoding]?.(secret) ?? secret).replace(/^q=/, '')
  const run = text.replace(/^see | there$/g, '').replace(/\n[\s\S]*$/, '')
  return encoding === 'base64 over lines'
    ? (text.split('\n').findLast(line => line.length === 76) ?? run).slice(-40)
    : run.slice(-28, -4)
}
