import { describe, expect, it, vi } from 'vitest';
import { localMoments, localTime, localTimeWithZone } from '../../../src/base/text/local-time.ts';

describe('localTime', () => {
  it('is the local time of the reader', () => {
    expect(localTime('2026-11-20T23:30:05.000Z', 'Europe/Berlin')).toBe('2026-11-21 00:30:05');
  });

  it('names its zone where it is asked to', () => {
    expect(localTimeWithZone('2026-11-20T23:30:05.000Z', 'Europe/Berlin')).toBe(
      '2026-11-21 00:30:05 (Europe/Berlin)',
    );
  });
});

it('thousands of moments make few formats: each takes kilobytes', () => {
  const Format = Intl.DateTimeFormat;
  const make = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function make(...args) {
    return new Format(...args);
  });
  for (let at = 0; at < 5_000; at += 1) {
    localTimeWithZone(at);
    localTime(at, 'Asia/Tokyo');
  }
  expect(make.mock.calls.length).toBeLessThan(50);
  make.mockRestore();
});

describe('localMoments', () => {
  it.each([
    [['2026-11-30T23:00:00Z', '2026-12-24T23:00Z'], '2026-12-01 00:00 to 2026-12-25 00:00'],
    [['2026-07-01', '2026-07-14T21:59:59.5Z'], '2026-07-01 to 2026-07-14 23:59:59'],
    [['2026-12-01T00:00:00-0800'], '2026-12-01 09:00'],
  ])('%j: %s', (moments, words) => {
    expect(localMoments(moments, 'Europe/Berlin')).toBe(`, in Europe/Berlin ${words}`);
  });

  it.each([
    [['2026-12-01', '2026-12-24']],
    [['2026-12-01T00:00:00+01:00']],
    [['2026-12-01T00:00']],
    [['soon']],
  ])('%j says it already', (moments) => expect(localMoments(moments, 'Europe/Berlin')).toBe(''));
});
