/** The counts that people wrote in documents agree with the code. */

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it('the documents count as many operations as the program has', async () => {
  const [, counted] = /can be called \| (\d+) \|/.exec(await readFile('docs/benchmarks.md', 'utf8')) ?? [];
  for (const file of ['README.md', 'docs/tools.md']) {
    const [, told] = /\b(\d{3}) (?:current )?operations\b/.exec(await readFile(file, 'utf8')) ?? [];
    expect(told, file).toBe(counted);
  }
});
