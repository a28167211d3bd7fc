/** Whose a folder of collections is: another owner of the same name finds nothing of the one before. */

import { expect, it } from 'vitest';
import { accountFolder } from '../../../src/data/tables/account-folders.ts';

it('each account and each owner of its name has a folder of its own, which tells the name alone', () => {
  const owners = [
    ['client-1', 'A1SELLER'],
    ['client-2', 'A1SELLER'],
    ['client-1', 'A2SELLER'],
    [],
    [undefined],
  ];
  const folders = ['shop', 'other'].flatMap((account) =>
    owners.map((owner) => accountFolder('/tables', account, owner)),
  );
  // No value and one that is missing are the same to JSON only where they stand in an object.
  expect(new Set(folders).size).toBe(folders.length);
  expect(accountFolder('/tables', 'shop', ['client-1', 'A1SELLER'])).toBe(folders[0]);
  for (const folder of folders) expect(folder).toMatch(/^\/tables\/(?:shop|other)-[0-9a-f]{8}$/);
});
