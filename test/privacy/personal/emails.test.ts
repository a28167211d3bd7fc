import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findEmails } from '../../../src/privacy/personal/emails.ts';
import { maskFreeText } from '../../../src/privacy/personal/free-text.ts';

const found = (text: string) => Array.from(findEmails(text), ({ start, end }) => text.slice(start, end));

it.each([
  ['a@b.de', ['a@b.de']],
  ['Mail an anna.schmidt+x@mail.example.co.uk.', ['anna.schmidt+x@mail.example.co.uk']],
  ['<ü.müller@bücher.example>, "b@example.com"', ['ü.müller@bücher.example', 'b@example.com']],
  ['?email=anna%40example.com&x', ['anna%40example.com']],
  ['{"to":"anna\\u0040example.com"}', ['anna\\u0040example.com']],
  ['mailto:anna@example.org?subject', ['anna@example.org']],
  ['anna＠example.com', ['anna＠example.com']],
  ['x@xn--bcher-kva.example and y@example.xn--p1ai', ['x@xn--bcher-kva.example', 'y@example.xn--p1ai']],
])('an address is found whole: %s', (text, addresses) => {
  expect(found(text)).toEqual(addresses);
});

it('what only looks a little like one is none, and many @ take no time', () => {
  for (const text of ['pkg@1.2.3', '@twitter', 'a@b', 'a @ b.de', 'x@-.de']) expect(found(text)).toEqual([]);
  expect(found('a@'.repeat(200_000))).toEqual([]);
});

it('they are those that one expression would find, which is slow', () => {
  const plain =
    /[^\s@＠<>"'(),;:=«»[\]{}|\\/?&]{1,64}?(?:@|＠|%40|\\u0040)[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,189}[\p{L}\p{N}])?\.(?:xn--[a-z0-9-]{2,59}|\p{L}{2,63})(?![\p{L}\p{N}])/giu;
  const pieces = fc.constantFrom(
    ...'abü1.-@＠+ ,<\\/👤',
    '%40',
    '\\u0040',
    '\\U0040',
    '.de',
    'xn--a',
    'a'.repeat(40),
  );
  fc.assert(
    fc.property(fc.string({ unit: pieces, maxLength: 30 }), (text) => {
      expect(found(text)).toEqual(text.match(plain) ?? []);
    }),
  );
});

it('an address that is remembered does not keep the text in which it stood', () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const heap = () => {
    if (typeof collect === 'function') collect();
    return process.memoryUsage().heapUsed;
  };
  const kept: string[] = [];
  const before = heap();
  for (let i = 0; i < 12; i += 1) {
    const text = Buffer.from(`${'x '.repeat(1_000_000)}anna.schmidt${i}@example.com`).toString();
    maskFreeText(text, (_kind, value) => {
      kept.push(value);
      return '';
    });
  }
  expect(kept).toHaveLength(12);
  // The texts are 24 MB.
  expect(heap() - before).toBeLessThan(12_000_000);
});

it.each([
  'anna@example.com',
  'anna%40example.com',
  'anna＠example.com',
  'anna\\u0040example.com',
  'anna\\U0040example.com',
])('however its @ is written, the address is masked: %s', (text) => {
  expect(maskFreeText(`to ${text}.`, (kind) => `[${kind}]`)).toBe('to [e-mail].');
});

it('what stands before the letters of an escape is no sign unless it escapes', () => {
  expect(found('annaxu0040example.com anna/u0040example.com anna\\u0041example.com')).toEqual([]);
});
