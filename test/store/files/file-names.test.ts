/** Names of files: what would lead out of the folder, or mean another thing on another system, is refused with a name that would do. */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { ENDINGS } from '../../../src/store/files/endings.ts';
import {
  isPlainName,
  MAX_NAME_BYTES,
  nameToOpen,
  nameToSave,
  normalizeName,
  numberNames,
} from '../../../src/store/files/file-names.ts';
import { anyCharacters } from '../../helpers/any-characters.ts';

const SEED = 20_261_122;

/** The error, and the name that it proposes. */
function refusal(name: string, ending?: string): { error: InputError; proposed: string } {
  try {
    nameToSave(name, ending);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [, proposed = ''] = /would do: ("(?:[^"\\]|\\.)*")/.exec(error.hint) ?? [];
    return { error, proposed: JSON.parse(proposed) };
  }
  throw new Error(`accepted: ${name}`);
}

describe('a name that is refused', () => {
  it.each([
    ['', /must not be empty/],
    ['   ', /must not be empty/],
    ['..', /without a path/],
    ['.', /without a path/],
    ['...', /without a path/],
    ['../labels.pdf', /without a path/],
    ['..\\labels.pdf', /without a path/],
    ['a/../../labels.pdf', /without a path/],
    ['sub/labels.pdf', /without a path/],
    ['/etc/passwd', /without a path/],
    ['C:\\Windows\\labels.pdf', /without a path/],
    ['C:labels.pdf', /must not hold any of :/],
    ['\\\\server\\share\\labels.pdf', /without a path/],
    ['\\\\?\\C:\\labels.pdf', /without a path/],
    ['//server/share/labels.pdf', /without a path/],
    ['labels.pdf/', /without a path/],
    ['~/labels.pdf', /without a path/],
    ['~', /must not begin with/],
    ['~labels.pdf', /must not begin with/],
    ['-rf.pdf', /must not begin with/],
    ['.labels.pdf', /must not begin with/],
    ['.seller-commerce-0123456789abcdef.part', /must not begin with/],
    [' labels.pdf', /must not begin with/],
    ['labels.pdf ', /must not end with/],
    ['labels.pdf.', /must not end with/],
    ['labels.exe. .', /must not end with/],
    ['labels.pdf:hidden', /must not hold any of :/],
    ['labels.pdf::$DATA', /must not hold any of :/],
    ['a*b.pdf', /must not hold/],
    ['a?b.pdf', /must not hold/],
    ['a"b.pdf', /must not hold/],
    ['a<b>.pdf', /must not hold/],
    ['a|b.pdf', /must not hold/],
    ['CON', /names a device/],
    ['con.pdf', /names a device/],
    ['nul.txt', /names a device/],
    ['NUL .txt', /names a device/],
    ['AUX.', /must not end with/],
    ['aux.tar.gz', /names a device/],
    ['COM1.csv', /names a device/],
    ['com¹.csv', /names a device/],
    ['LPT9', /names a device/],
    ['CONIN$', /names a device/],
    ['PRN.pdf', /names a device/],
    ['labels\u202Efdp.exe', /cannot be seen \(\\u\{202E\}\)/],
    ['la\u200Bbels.pdf', /cannot be seen \(\\u\{200B\}\)/],
    ['labels\0.pdf', /cannot be seen/],
    ['labels\n.pdf', /cannot be seen \(\\n\)/],
    ['labels\u001b[2J.pdf', /cannot be seen/],
    ['labels\uD800.pdf', /cannot be seen/],
    ['\u{E0041}labels.pdf', /cannot be seen/],
    ['a'.repeat(300), /300 bytes.*at most 120/],
    ['倉'.repeat(41), /123 bytes.*at most 120/],
    ['é'.repeat(70), /140 bytes.*at most 120/],
  ])('%j', (name, reason) => {
    const { error, proposed } = refusal(name);
    expect(error.message).toMatch(reason);
    expect(error.message).toContain('Nothing was read or written.');
    expect(nameToSave(proposed)).toBe(proposed);
    expect(isPlainName(name)).toBe(false);
    expect(() => nameToOpen(name)).toThrow(InputError);
  });

  it.each(
    `exe bat cmd com scr pif ps1 vbs vbe js jse wsf wsh hta msi msc reg inf lnk url desktop app command tool sh
     bash py pl rb jar jnlp workflow terminal webloc inetloc fileloc scpt pkg dmg iso img vhd deb rpm run html htm xhtml svg
     mht mhtml xls xlsm xlsb docm doc rtf chm cpl dll sys so dylib scf library-ms search-ms settingcontent-ms appref-ms
     website iqy slk theme mobileconfig EXE Com pDf_`.split(/\s+/),
  )('.%s, whatever the content is', (ending) => {
    const { error, proposed } = refusal(`labels.${ending}`, 'pdf');
    expect(error.message).toContain('never runs it');
    expect(error.message).toContain(`.${ending.toLowerCase()} `);
    expect(error.hint).toContain('pdf, png');
    expect(proposed).toBe('labels.pdf');
    expect(() => nameToSave(`labels.${ending}`)).toThrow('never runs it');
  });

  it('is repeated in part only', () => {
    const { error } = refusal(`${'x'.repeat(100_000)}/`);
    expect(error.message.length + error.hint.length).toBeLessThan(1_000);
  });
});

describe('a name that is taken', () => {
  it.each([
    'labels.pdf',
    'Etiketten März (2).pdf',
    'orders 305-1234567-8901234.csv',
    '在庫　表.csv',
    'a.b.c.csv',
    'v1.2 labels.zpl',
    "seller's $1 & 100% #1 [x] {y}.txt",
    'console.txt',
    'com10.txt',
    'nullable.csv',
    `${'a'.repeat(116)}.pdf`,
    '«buyer name 3f2ak9xq».pdf',
  ])('%s', (name) => {
    expect(nameToSave(name)).toBe(name);
    expect(nameToOpen(name)).toBe(name);
  });

  it('is composed, so that it is the same on every system', () => {
    expect(nameToSave('Ma\u0308rz.pdf')).toBe('M\u00e4rz.pdf');
    expect(normalizeName('MA\u0308RZ.pdf')).toBe(normalizeName('m\u00e4rz.PDF'));
  });
});

describe('the ending', () => {
  it.each([
    ['labels', 'pdf', 'labels.pdf'],
    ['labels.pdf', 'pdf', 'labels.pdf'],
    ['labels.PDF', 'pdf', 'labels.PDF'],
    ['labels.png', 'pdf', 'labels.pdf'],
    ['labels.pdf', 'zpl', 'labels.zpl'],
    ['labels.txt', 'zpl', 'labels.txt'],
    ['photo.jpeg', 'jpg', 'photo.jpeg'],
    ['orders.csv', 'txt', 'orders.csv'],
    ['orders.tab', 'tsv', 'orders.tab'],
    ['book.xlsx', 'zip', 'book.xlsx'],
    ['order 305.1234567', 'pdf', 'order 305.1234567.pdf'],
    ['x.{21EC2020-3AEA-1069-A2DD-08002B30309D}', 'pdf', 'x.{21EC2020-3AEA-1069-A2DD-08002B30309D}.pdf'],
    ['labels.еxe', 'pdf', 'labels.еxe.pdf'],
    ['labels.7z', undefined, 'labels.7z.dat'],
    ['labels', undefined, 'labels.dat'],
    ['labels.csv', undefined, 'labels.csv'],
    ['labels', 'html', 'labels.txt'],
    ['labels', 'svg', 'labels.txt'],
    ['labels', 'exe', 'labels.dat'],
    ['labels', 'PDF', 'labels.pdf'],
    ['labels', '../../x', 'labels.dat'],
  ])('%s of %s is %s', (name, ending, expected) => {
    expect(nameToSave(name, ending)).toBe(expected);
  });
});

describe('numbered names of several files', () => {
  it.each([
    'labels.pdf',
    'labels',
    `${'x'.repeat(116)}.pdf`,
    'x'.repeat(120),
    `${'ü'.repeat(58)}.pdf`,
    `${'😀'.repeat(29)}.txt`,
  ])('do wherever the name itself does: %s', (name) => {
    const names = numberNames(name, 100);
    expect(new Set(names).size).toBe(100);
    for (const each of names) expect(nameToSave(each)).toBe(each);
    expect(names[99]).toMatch(/^[^-]+-100\.(?:pdf|txt|dat)$/);
  });
});

it('any text is either refused, with a name that would do, or becomes a plain name with a harmless ending', () => {
  const piece = fc.oneof(
    anyCharacters({ maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.constantFrom(
      '..',
      '/',
      '\\',
      ':',
      '.exe',
      '.pdf',
      'CON',
      ' ',
      '.',
      '\u202E',
      '~',
      '-',
      '.html',
      'LPT1',
      '\0',
    ),
  );
  const ending = fc.option(fc.oneof(fc.constantFrom(...ENDINGS), fc.string()), { nil: undefined });
  const holds = (pieces: string[], content: string | undefined) => {
    const given = pieces.join('');
    let name: string;
    try {
      name = nameToSave(given, content);
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      const { proposed } = refusal(given, content);
      name = nameToSave(proposed, content);
      expect(name).toBe(proposed);
    }
    expect(name).not.toMatch(/[/\\:\0]|^\.|[. ]$/);
    expect(ENDINGS).toContain(name.split('.').at(-1)?.toLowerCase());
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_NAME_BYTES + '.ndjson'.length);
  };
  fc.assert(fc.property(fc.array(piece, { maxLength: 6 }), ending, holds), { seed: SEED, numRuns: 1_000 });
});
