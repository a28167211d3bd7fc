/** A setting that nothing in the program reads is named. */

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, inject, it } from 'vitest';
import { findUnread } from '../../scripts/unused-settings.ts';

/** A program of three settings. */
const FILES: Readonly<Record<string, string>> = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true }, "include": ["src", "test"] }',
  'src/base/settings.ts': [
    'export const settings = { limit: 1, greeting: "x", destructured: true, forgotten: "" };',
    'export type Config = Readonly<Pick<typeof settings, "limit" | "greeting" | "destructured" | "forgotten">>;',
    'export const here = settings.forgotten;',
  ].join('\n'),
  'src/read.ts': [
    'import type { Config } from "./base/settings";',
    'export const greet = (config: Config) => config.greeting;',
    'export const look = ({ destructured: found }: Config) => found;',
    'export const page = (filter: { limit: number }) => filter.limit;',
  ].join('\n'),
  'test/read.ts': 'import { settings } from "../src/base/settings";\nexport const limit = settings.limit;\n',
};

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(inject('scratch'), 'seller-settings-'));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
});

it('names what nothing reads: not elsewhere by a member of the same name, not in a test, not where it is declared', () => {
  expect(findUnread(root, ['limit', 'greeting', 'destructured', 'forgotten'])).toEqual([
    'limit',
    'forgotten',
  ]);
});

it('says which is not there', () => {
  expect(() => findUnread(root, ['absent'])).toThrow('absent');
});
