import { expect, it } from 'vitest';
import { refuseNumbersAsText } from '../../../../src/write/handlers/store/numbers-as-text.ts';

const LONG = '12345678901234567890.5';
const state = { alias: 'Shop', limits: { most: LONG, all: [{ least: LONG }] } };
const paths = [
  ['limits', 'most'],
  ['limits', 'all', 0, 'least'],
];

it.each<[string, object, string[]]>([
  ['both are still in the body', state, ['limits.most', 'limits.all[0].least']],
  ['one of them has another value', { limits: { most: 5, all: [{ least: LONG }] } }, ['limits.all[0].least']],
  ['one of them is removed', { limits: { most: LONG, all: [] } }, ['limits.most']],
  ['neither is sent', { alias: 'New' }, []],
  ['the same digits stand elsewhere', { alias: LONG, limits: { most: 5 } }, []],
])('a number that was read as a text is not sent back as one: %s', (_what, body, left) => {
  const refuse = () => refuseNumbersAsText({ ...body }, state, paths);
  if (left.length === 0) expect(refuse).not.toThrow();
  else expect(refuse).toThrow(`than can be sent back unchanged: ${left.join(', ')}. Nothing was sent.`);
});
