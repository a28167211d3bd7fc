/** The folder where it all is. */

import { isAbsolute, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findStateFolder } from '../../src/store/state-folder.ts';

describe('findStateFolder', () => {
  it('is the setting, made absolute, or a folder of the system with our name', async () => {
    expect(await findStateFolder({ stateDir: 'state' })).toBe(resolve('state'));
    const folder = await findStateFolder({});
    expect(isAbsolute(folder)).toBe(true);
    expect(folder).toContain('seller-commerce-mcp');
  });
});
