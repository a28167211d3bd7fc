/** access.yaml: what it gives, and each mistake with its line and what to do. */

import { describe, expect, it } from 'vitest';
import { parseAccess } from '../../../../src/program/people/access/access-file.ts';
import { rightsOf } from '../../../../src/program/people/access/rights.ts';

const FILE = `access:
  - person: anna
    accounts: [lamps, chairs]
    rights: write
    confirm: code
  - group: buyers
    accounts: "*"
  - group: buyers
    issuer: https://login.example
    accounts: [lamps]
    rights: write
`;
/** The whole of what anna may write, with no question asked. */
const LAX = `access:
  - person: anna
    accounts: "*"
    rights: write
    confirm: allow
`;
const NAMES = ['chairs', 'lamps', 'tables'];
const ISSUER = 'https://login.example';

function rights(subject: string, groups: string[] = [], issuer = ISSUER) {
  const entries = parseAccess(FILE, 'access.yaml');
  const found = rightsOf({ issuer, subject, groups }, entries, { names: NAMES, usual: 'ask' });
  return Object.fromEntries([...found].map(([name, { write, confirm }]) => [name, write ? confirm : 'read']));
}

describe('what it gives', () => {
  it('a person the accounts of its entry', () => {
    expect(rights('anna')).toEqual({ lamps: 'code', chairs: 'code' });
  });

  it('a group all accounts that there are, and of two entries the most, confirmed in the way that asks most', () => {
    expect(rights('ben', ['buyers'])).toEqual({ chairs: 'read', lamps: 'ask', tables: 'read' });
    expect(rights('anna', ['buyers'])).toEqual({ chairs: 'code', lamps: 'ask', tables: 'read' });
  });

  it('the same in any order of the entries', () => {
    const entries = [...parseAccess(FILE, 'access.yaml'), ...parseAccess(LAX, 'access.yaml')];
    const claims = { issuer: ISSUER, subject: 'anna', groups: ['buyers'] };
    const inOrder = (all: typeof entries) =>
      Object.fromEntries(rightsOf(claims, all, { names: NAMES, usual: 'ask' }));
    for (let at = 0; at < entries.length; at += 1) {
      const turned = [...entries.slice(at), ...entries.slice(0, at)];
      for (const all of [turned, turned.toReversed()]) {
        expect(inOrder(all)).toMatchObject({
          lamps: { write: true, confirm: 'ask' },
          chairs: { write: true, confirm: 'code' },
          tables: { write: true, confirm: 'allow' },
        });
      }
    }
  });

  it('an issuer of another name nothing of what names one', () => {
    expect(rights('ben', ['buyers'], 'https://other.example')).toEqual({
      chairs: 'read',
      lamps: 'read',
      tables: 'read',
    });
  });

  it('a stranger nothing', () => {
    expect(rights('eve', ['visitors', 'anna', '*'])).toEqual({});
  });
});

describe('a mistake is told with its line', () => {
  const mistakes: [what: string, text: string, told: string][] = [
    ['no YAML', 'access:\n  - person: [', 'access.yaml:2: is not YAML'],
    ['nothing', '', 'access.yaml:1: '],
    ['no list', 'access: all', 'access.yaml:1: access '],
    [
      'a member that is not known',
      FILE.replace('rights: write', 'right: write'),
      'access.yaml:4: entry 1 has "right"',
    ],
    [
      'rights that are none',
      FILE.replace('rights: write', 'rights: admin'),
      'access.yaml:4: entry 1, rights must be one of read, write',
    ],
    [
      'a way to confirm that is none',
      FILE.replace('confirm: code', 'confirm: page'),
      'access.yaml:5: entry 1, confirm must be one of ask, code, allow',
    ],
    [
      'accounts that are none',
      FILE.replace('[lamps, chairs]', 'lamps'),
      'access.yaml:3: entry 1, accounts must be a list of accounts, or "*" for all',
    ],
    ['no accounts', FILE.replace('    accounts: "*"\n', ''), 'access.yaml:6: entry 2, accounts '],
    ['a name that no account has', FILE.replace('chairs', '"../chairs"'), 'access.yaml:3: entry 1'],
    ['neither person nor group', FILE.replace('person: anna', 'team: anna'), 'access.yaml:2: entry 1'],
    [
      'both',
      FILE.replace('person: anna', 'person: anna\n    group: x'),
      'access.yaml:3: entry 1 has "group"',
    ],
  ];
  it.each(mistakes)('%s', (_what, text, told) => {
    const read = () => parseAccess(text, 'access.yaml');
    expect(read).toThrow(expect.objectContaining({ message: expect.stringContaining(told) }));
    expect(read).toThrow(expect.objectContaining({ hint: expect.stringContaining('read again by itself') }));
  });

  it('several at once, and of many the first', () => {
    const many = `access:\n${'  - person: a\n    accounts: 1\n'.repeat(30)}`;
    expect(() => parseAccess(many, 'f')).toThrow(/f:3: .*; f:5: .*; and 20 more\.$/);
  });
});
