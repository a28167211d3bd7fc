/** One block for each issue, as far as the budget goes; what is left out is named by its place. */

import { expect, test } from 'vitest';
import { issueBlocks } from '../../../src/render/listing/issue-blocks.ts';
import { readIssue } from '../../../src/service/shapes/listing-issue.ts';

const read = (...sent: readonly unknown[]) => sent.map((value, index) => readIssue(value, index, 0));
const blocks = (sent: readonly unknown[], more: object = {}) =>
  issueBlocks(read(...sent), { used: '', ...more });

test('what is there stands in its place, what is not there is not mentioned', () => {
  expect(blocks([{}, { severity: 'ERROR', code: 'a b', message: 'x' }])).toEqual([
    '1. no severity no code\n   no message',
    '2. ERROR «a b»\n   «x»',
  ]);
  const sent = {
    code: '1',
    message: 'm',
    severity: 'INFO',
    marketplaceIds: ['A', 'B'],
    attributeNames: ['brand', 'a b'],
    categories: ['C'],
    enforcements: { actions: [{ action: 'X' }], exemption: { status: 'EXEMPT' } },
    more: { b: 1 },
    list: [2],
    flag: true,
    nothing: null,
    text: 'two words',
  };
  expect(blocks([sent], { marketplaceName: (id: string) => (id === 'A' ? 'US' : undefined) })).toEqual([
    [
      '1. INFO 1 in US, B',
      '   «m»',
      '   attributes: brand, «a b»; categories: C; enforcement: X; exempt; other: more «{"b":1}», list «[2]», flag true, nothing null, text «two words»',
    ].join('\n'),
  ]);
  expect(blocks([{ categories: 5 }])).toEqual([
    '1. no severity no code\n   no message\n   categories: 5; malformed: categories is number',
  ]);
});

test('long texts are cut: messages at 2,000 characters, other members at 300 and ten, names at 100', () => {
  const long = 'm '.repeat(1_100);
  expect(blocks([{ message: long }])[0]).toContain('» (200 more characters)');
  expect(blocks([{ novel: long }])[0]).toContain('» (1900 more characters)');
  expect(blocks([{ novel: { long } }])[0]).toMatch(/» \(\d{4} more characters\)$/);
  expect(blocks([{ code: long }])[0]).toContain('» (2100 more characters)');
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`n${i}`, i]));
  expect(blocks([many])[0]).toMatch(/other: n0 0, .*, n9 9, 2 more$/);
});

test('what does not fit is named by its place, in ranges where they are unbroken', () => {
  const sent = Array.from({ length: 20 }, (_, i) => ({ code: `${i}`, severity: 'ERROR' }));
  const size = Buffer.byteLength('1. ERROR 0\n   no message') + 1;
  const room = (count: number) => ({ maxTokens: (400 + count * size + 6) / 3 });
  expect(blocks(sent, room(3)).slice(2)).toEqual([
    '3. ERROR 2\n   no message',
    '17 more issues left out to stay within the budget; select issues.3-19',
  ]);
  expect(blocks(sent, { ...room(3), path: 'payload.issues', used: 'x'.repeat(size) }).at(-1)).toBe(
    '18 more issues left out to stay within the budget; select payload.issues.2-19',
  );
  expect(blocks(sent.slice(0, 4), room(3)).at(-1)).toBe(
    '1 more issue left out to stay within the budget; select issues.3',
  );
  expect(blocks(sent.slice(0, 3), room(3))).toHaveLength(3);
  expect(blocks(sent, { maxTokens: 0 })).toEqual([
    '20 more issues left out to stay within the budget; select issues.0-19',
  ]);
});

test('beyond eight ranges the paths cover all of them', () => {
  const rowsAt = (indexes: readonly number[]) =>
    issueBlocks(
      indexes.map((index) => readIssue({}, index, 0)),
      { used: '', maxTokens: 0 },
    ).at(-1);
  const even = Array.from({ length: 8 }, (_, i) => i * 2);
  expect(rowsAt([...even].reverse())).toMatch(/^8 .* select issues\.0, issues\.2, .*, issues\.14$/);
  expect(rowsAt([...even, 16])).toBe('9 more issues left out to stay within the budget; select issues.0-16');
  expect(rowsAt([5, 2, 3, 9])).toMatch(/select issues\.2-3, issues\.5, issues\.9$/);
});

test('a message is printed once for its code, and again for another', () => {
  const message = 'The value is not one of the allowed ones.';
  const of = (code: string, at: number) => readIssue({ code, message, severity: 'ERROR' }, at, 0);
  const blocks = issueBlocks([of('A', 0), of('A', 1), of('B', 2), of('A', 3)], { used: '' });
  expect(blocks.map((block) => block.split('\n')[1]?.trim())).toEqual([
    `«${message}»`,
    'same message as 1.',
    `«${message}»`,
    'same message as 1.',
  ]);
});
