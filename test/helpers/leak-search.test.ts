import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLeakSearch } from './leak-search.ts';

const SECRET = 'Atzr|q9"/x\\+é&= %Zt5<kW2-_~';
const search = createLeakSearch(new Map([['token', SECRET]]));
const found = (text: string) => search.inText(text, 'here').map(({ form }) => form);

it.each([
  ['as it is', SECRET],
  ['as JSON', JSON.stringify({ a: SECRET })],
  ['as JSON in JSON', JSON.stringify({ a: JSON.stringify({ b: SECRET }) })],
  ['URL-encoded', `https://x/?t=${encodeURIComponent(SECRET)}&u=1`],
  ['as a form', new URLSearchParams({ t: SECRET }).toString()],
  ['in hex', Buffer.from(`ab${SECRET}`).toString('hex')],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in base64 after one byte', Buffer.from(`a${SECRET}zz`).toString('base64')],
  ['in base64 after two bytes', Buffer.from(`ab${SECRET}z`).toString('base64')],
  ['in base64url', Buffer.from(`abcde${SECRET}`).toString('base64url')],
  ['cut at the end', SECRET.slice(0, 18)],
  ['cut at the beginning', SECRET.slice(-13)],
])('finds it %s', (_case, text) => {
  expect(found(`before ${text} after`)).not.toEqual([]);
});

it('takes neither the public prefix nor a mask for a leak', () => {
  expect(found('Atzr|…(27 characters) and Atzr|other and amzn1.oa2-cs.v1.')).toEqual([]);
});

it('finds it in files however deep', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seller-leak-'));
  await mkdir(join(folder, 'a', '.b'), { recursive: true });
  await writeFile(join(folder, 'a', '.b', 'c.log'), `x${SECRET}`);
  expect((await search.inFolder(folder)).map(({ where }) => where)).toContain(
    join(folder, 'a', '.b', 'c.log'),
  );
  await rm(folder, { recursive: true });
});
