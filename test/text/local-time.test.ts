import { describe, expect, it } from 'vitest';
import { localTime, localTimeWithZone } from '../../src/text/local-time.ts';

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
