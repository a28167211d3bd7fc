import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createRecent } from '../../src/base/recent.ts';

it('has the last few that were asked for, and makes the others again', () => {
  const made: string[] = [];
  const recent = createRecent<string, string>(2);
  const make = (key: string) => {
    made.push(key);
    return `of ${key}`;
  };
  const get = (key: string) => recent.get(key, () => make(key));
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(get)).toEqual(['of a', 'of b', 'of a', 'of c', 'of a', 'of b']);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  recent.forget('b');
  expect([get('a'), get('b')]).toEqual(['of a', 'of b']);
  expect(made).toEqual(['a', 'b', 'c', 'b', 'b']);
});

it('what was let go of it does not stay in the heap while it is used', () => {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { createRecent } from ${JSON.stringify(new URL('../../src/base/recent.ts', import.meta.url).href)};
    const old = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;
    const recent = createRecent(4);
    const make = (at) => Array.from({ length: 2_000 }, (_, i) => ({ at, i, text: [at + i / 2] }));
    for (let at = 0; at < 100; at += 1) recent.get(at, () => make(at));
    gc();
    const before = old();
    for (let at = 0; at < 1_000; at += 1) recent.get(at, () => make(at));
    console.log(old() - before);
  `;
  const args = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', program];
  const grown = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  // A Map in its place: more than 15 MB; this: some KB.
  expect(grown).toBeLessThan(4_000_000);
}, 60_000);
