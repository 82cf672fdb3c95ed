import { expect, it } from 'vitest'
import { statusLabels } from './labels.js'

it('[H4] a hit is live or abandoned, never both; a label says where it is live in another session', () => {
  expect(statusLabels(true, 'live')).toEqual(['live'])
  expect(statusLabels(true, null)).toEqual(['live'])
  expect(statusLabels(false, 'live')).toEqual([])
  expect(statusLabels(false, 'abandoned')).toEqual(['abandoned branch'])
  expect(statusLabels(false, 'taken-back')).toEqual(['taken back'])
  expect(statusLabels(true, 'abandoned')).toEqual(['abandoned here, live in another session'])
})
