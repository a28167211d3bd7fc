import { expect, it } from 'vitest';
import { hideSigners, maskEmails, maskFreeText, maskProse } from '../../../src/privacy/personal/free-text.ts';

const markOf = (kind: string, value: string) =>
  value.endsWith('@own.example') ? undefined : `[${kind} ${value}]`;

it.each([
  ['mail anna (at) web.de please', 'mail <e-mail> please'],
  ['anna.berg at gmail dot com', '<e-mail>'],
  ['anna[at]web[dot]co[dot]uk!', '<e-mail>!'],
  ['anna { AT } web (punkt) de', '<e-mail>'],
  ['to anna @ web.de or call', 'to <e-mail> or call'],
  ['anna@ web.de', '<e-mail>'],
  ['bought at shop.example, too small', 'bought at shop.example, too small'],
  ['it broke at home. Sorry', 'it broke at home. Sorry'],
  ['arrived at 10.30 and at noon', 'arrived at 10.30 and at noon'],
])('an address that a buyer spells out, or what only looks like one: %s', (text, shown) => {
  expect(maskProse(text, (kind) => `<${kind}>`)).toBe(shown);
});

it.each([
  // Words beside the digits, or a number for abroad as the whole: telephone numbers are looked for.
  ['call 0171 1234567', 'call [phone 0171 1234567]'],
  ['0171 1234567', '0171 1234567'],
  ['0171/1234567', '0171/1234567'],
  ['A-0171-1234567', 'A-0171-1234567'],
  ['電話は090-1234-5678', '電話は[phone 090-1234-5678]'],
  ['+49 171 1234567', '[phone +49 171 1234567]'],
  ['+491711234567', '[phone +491711234567]'],
  ['+49 171 1234567 0171 1234567', '[phone +49 171 1234567] 0171 1234567'],
  ['49 +49 171 1234567', '49 +49 171 1234567'],
  ['a@b.de', '[e-mail a@b.de]'],
  ['a%40b.de', '[e-mail a%40b.de]'],
  ['a@b.de,0171 1234567', '[e-mail a@b.de],[phone 0171 1234567]'],
  ['0171 1234567 a@b.de', '[phone 0171 1234567] [e-mail a@b.de]'],
  ['c d@own.example, a@b.de', 'c d@own.example, [e-mail a@b.de]'],
  ['0171-1234567@b.de is mine', '[e-mail 0171-1234567@b.de] is mine'],
  [
    '0171 1234567, 0171 1234568, a@b.de, 0171 1234569',
    '[phone 0171 1234567], [phone 0171 1234568], [e-mail a@b.de], [phone 0171 1234569]',
  ],
])('a text of which nothing is known: %s', (text, masked) => {
  expect(maskFreeText(text, markOf)).toBe(masked);
});

it.each([
  ['Not as described. Anna Berg, 0171 1234567', 'Not as described. [name], [phone]'],
  ['Ya no lo necesito. Elena, +34 612 345 678, e@f.es', 'Ya no lo necesito. [name], [phone], [e-mail]'],
  ['Too small, Jean-Luc O’Neil - a@b.de', 'Too small, [name] - [e-mail]'],
  ['Iñigo\n+34 612 345 678', '[name]\n[phone]'],
  // A name in the midst of a sentence is no signature.
  ['please call 0171 1234567', 'please call [phone]'],
  ['the Oak Lamp broke, 0171 1234567', 'the Oak Lamp broke, [phone]'],
  ['Call 0171 1234567', 'Call [phone]'],
  ['Too small. Phone\n0171 1234567', 'Too small. Phone\n[phone]'],
  ['Best Regards, a@b.de', 'Best Regards, [e-mail]'],
  ['Contact Support - a@b.de', 'Contact Support - [e-mail]'],
])('the name of who signs before how they can be reached: %j', (text, shown) => {
  const masked = maskProse(text, (kind) => `«${kind} 2b53yph1»`);
  expect(hideSigners(masked).replace(/«([a-z-]+) 2b53yph1»/g, '[$1]')).toBe(shown);
});

it('in what names a thing only addresses are looked for', () => {
  expect(maskEmails('a@b.de, tel 0171 1234567', markOf)).toBe('[e-mail a@b.de], tel 0171 1234567');
  expect(maskEmails('nothing', markOf)).toBe('nothing');
});

it('in what people write numbers are looked for whatever stands beside them, but not in marks', () => {
  const mark = '«postcode 101.. 3f2ak9xq»';
  expect(maskProse('0171 1234567', markOf)).toBe('[phone 0171 1234567]');
  expect(maskProse(`a@b.de ${mark} 0171 1234567`, markOf)).toBe(
    `[e-mail a@b.de] ${mark} [phone 0171 1234567]`,
  );
});
