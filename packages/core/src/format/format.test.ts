import { expect, test } from 'vitest'
import { ago, bytes, duration, money, percent, plural, shortPath, tokens } from './index.js'

const NOON = new Date(2026, 2, 12, 12).getTime()
const HOUR = 3_600_000

test('money is short, and never rounds an amount to nothing', () => {
  expect([null, 0, 0.0004, 0.0042, 0.0097, 0.01, 12.3, 999.999, 1234.5].map(money)).toEqual([
    '–',
    '$0',
    '<$0.001',
    '$0.004',
    '$0.01',
    '$0.01',
    '$12.30',
    '$1,000',
    '$1,235',
  ])
})

test('tokens and bytes have at most three figures', () => {
  expect([0, 950, 999.6, 1000, 12_345, 999_950, 4_500_000].map(tokens)).toEqual([
    '0',
    '950',
    '1k',
    '1k',
    '12.3k',
    '1M',
    '4.5M',
  ])
  expect([12, 1500, 178_000_000].map(bytes)).toEqual(['12 B', '1.5 kB', '178 MB'])
})

test('durations have the two largest units', () => {
  expect(
    [340, 12_000, 59_600, 240_000, HOUR - 20_000, 2 * HOUR, 2 * HOUR + 300_000, 76 * HOUR].map(duration),
  ).toEqual(['340 ms', '12 s', '59.6 s', '4m 00s', '59m 40s', '2h 00m', '2h 05m', '3d 4h'])
})

test('times are relative to now, by calendar days', () => {
  const hours = [0, 0.5, 3, 13, 30, 80, 24 * 30, 24 * 400]
  expect(hours.map(passed => ago(NOON - passed * HOUR, NOON))).toEqual([
    'just now',
    '30m ago',
    '3h ago',
    'yesterday',
    'yesterday',
    '3d ago',
    '10 Feb',
    '5 Feb 2025',
  ])
  expect(ago(NOON + 48 * HOUR, NOON)).toBe('14 Mar')
})

test('nouns follow their numbers', () => {
  expect([plural(1, 'turn'), plural(0, 'turn'), plural(12_345, 'branch', 'branches')]).toEqual([
    '1 turn',
    '0 turns',
    '12,345 branches',
  ])
})

test('a share of zero is 0 %', () => {
  expect([percent(1, 0), percent(1, 300), percent(45, 100), percent(1, 1)]).toEqual([
    '0 %',
    '0.3 %',
    '45 %',
    '100 %',
  ])
})

test('long paths keep their end', () => {
  expect([shortPath('/home/my/dev/app'), shortPath('/app'), shortPath('')]).toEqual(['…/dev/app', '/app', ''])
})
