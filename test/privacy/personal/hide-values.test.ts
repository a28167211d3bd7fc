import { expect, it } from 'vitest';
import { createValueHider } from '../../../src/privacy/personal/hide-values.ts';

const NAME = '«buyer name 1aaaaaaa»';
const FIRST = '«buyer name 2aaaaaaa»';
const SHORT = '«buyer name 3aaaaaaa»';
const LETTER = '«buyer name 4aaaaaaa»';
const PHONE = '«phone 5aaaaaaa»';
const FOREIGN = '«buyer text 6aaaaaaa»';
const WILD = '«buyer text 7aaaaaaa»';
const replaced = [
  { mark: FIRST, original: 'Anna' },
  { mark: NAME, original: 'Anna Schmidt' },
  { mark: SHORT, original: 'Li' },
  { mark: LETTER, original: 'X' },
  { mark: PHONE, original: '4930123' },
  { mark: FOREIGN, original: '«buyer name 9zzzzzzz»' },
  { mark: WILD, original: "$& $' x" },
];
const hide = createValueHider(replaced);

it.each([
  ['a whole value', 'Anna Schmidt', NAME],
  ['the longest first', 'for Anna Schmidt, Anna', `for ${NAME}, ${FIRST}`],
  ['a long one within a word', 'Annabel', `${FIRST}bel`],
  ['the longest first there too', 'xAnna Schmidtx', `x${NAME}x`],
  ['in any case as words', 'ANNA SCHMIDT', NAME],
  ['a short one as a word', 'Li and Lisa', `${SHORT} and Lisa`],
  ['one character only as the whole', 'X', LETTER],
  ['and not within others', 'X and X', 'X and X'],
  ['what looks like a mark', 'for «buyer name 9zzzzzzz», now', `for ${FOREIGN}, now`],
  ['other marks stay', `«buyer text 4930123a»`, '«buyer text 4930123a»'],
  ['what a replacement could take for its own', "a $& $' x b", `a ${WILD} b`],
  ['a number in digits of a text', 'call 4930123', `call ${PHONE}`],
])('%s: %s', (_what, text, shown) => {
  expect(hide(text)).toBe(shown);
});

it('values in lists, members and their names, numbers as wholes; the rest stays', () => {
  const value = {
    Anna: [4_930_123, 49, null, true, { 'for Li': 'Anna' }],
    nobody: 'Bert',
  };
  expect(hide(value)).toEqual({
    [FIRST]: [PHONE, 49, null, true, { [`for ${SHORT}`]: FIRST }],
    nobody: 'Bert',
  });
});

it('where nothing was replaced the value itself is given back', () => {
  const value = { a: ['Anna'] };
  expect(createValueHider([])(value)).toBe(value);
});
