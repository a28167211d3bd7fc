/** The check of words finds each fault that it names, and no ordinary word. */

import { expect, it } from 'vitest';
import { readModule } from '../../scripts/check-words/read-module.ts';
import {
  findLongSubjects,
  findRepeatedTypes,
  findStruck,
  findWithoutSubject,
} from '../../scripts/check-words.ts';

const moduleOf = (text: string, file = 'src/one.ts') => readModule(file, text);

it.each([
  'const toldBefore = 1',
  'function tellAll() {}',
  'type YesPage = 1',
  'const MOST_ROWS = 1',
  'let moneyWords = 1',
])('refuses the name in %s', (text) => {
  expect(findStruck(moduleOf(text))).toHaveLength(1);
});

it.each([
  'const marketplace = 1',
  'const words = 1',
  'const longest = 1',
  'function replaceAll() {}',
  'const eyes = 1',
])('takes the name in %s', (text) => {
  expect(findStruck(moduleOf(text))).toEqual([]);
});

it('refuses a type that two modules of src declare, and takes one of a test beside it', () => {
  const [one, other] = [moduleOf('interface Found {}'), moduleOf('type Found = 1', 'src/other.ts')];
  expect(findRepeatedTypes([one, other])).toHaveLength(1);
  expect(findRepeatedTypes([one, moduleOf('type Found = 1', 'test/one.ts')])).toEqual([]);
});

it('refuses comments without a subject above one in a hundred', () => {
  const whole = Array.from({ length: 99 }, (_, index) => `/** Returns ${index}. */ const n${index} = 1;`);
  const one = '/** Of the question. */ const first = 1;';
  expect(findWithoutSubject([moduleOf([...whole, one].join('\n'))])).toEqual([]);
  expect(findWithoutSubject([moduleOf([...whole, one, one].join('\n'))])).toHaveLength(2);
});

it('reads lines of one comment as one', () => {
  expect(moduleOf('// The rows are\n// Of one table.\nconst a = 1;\n// Of two.').comments).toEqual([
    'The rows are',
    'Of two.',
  ]);
});

it('refuses a commit subject of more than 72 characters', () => {
  expect(findLongSubjects(['a'.repeat(72), 'b'.repeat(73)])).toHaveLength(1);
});
