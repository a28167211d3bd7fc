/** The times that people read, and the folder where it all is. */

import { isAbsolute, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatTime } from '../../src/journal/format-journal.ts';
import { findStateFolder } from '../../src/journal/state-folder.ts';

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
