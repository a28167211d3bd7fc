/** The moments people type, the times they read, the folder where it all is. */

import { isAbsolute, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatTime } from '../../src/journal/format-journal.ts';
import { parseSince } from '../../src/journal/parse-since.ts';
import { findStateFolder } from '../../src/journal/state-folder.ts';

describe('parseSince', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  it.each([
    ['90s', '2026-11-20T11:58:30Z'],
    ['2h', '2026-11-20T10:00:00Z'],
    ['7d', '2026-11-13T12:00:00Z'],
    ['4w', '2026-10-23T12:00:00Z'],
    ['2026-11-20T11:00Z', '2026-11-20T11:00:00Z'],
    ['2026-11-20T11:00:30.5+01:00', '2026-11-20T10:00:30.5Z'],
  ])('%s is %s', (text, moment) => {
    expect(parseSince(text, now)).toBe(Date.parse(moment));
  });

  it('begins a bare date at local midnight', () => {
    expect(parseSince('2026-11-20', now)).toBe(new Date(2026, 10, 20).getTime());
  });
});

describe('formatTime', () => {
  it('is the local time of the zone', () => {
    expect(formatTime('2026-11-20T23:30:05.000Z', 'Europe/Berlin')).toBe('2026-11-21 00:30:05');
  });
});

describe('findStateFolder', () => {
  it('is the setting, made absolute, or a folder of the system with our name', async () => {
    expect(await findStateFolder({ stateDir: 'state' })).toBe(resolve('state'));
    const folder = await findStateFolder({});
    expect(isAbsolute(folder)).toBe(true);
    expect(folder).toContain('seller-commerce-mcp');
  });
});
