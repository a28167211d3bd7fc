/** A sandbox over HTTP: each person has a session, and all end together once nobody has used any for a while. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openSandboxUserSessions } from '../../../src/program/people/sandbox-user-sessions.ts';
import { createProgram } from '../../../src/program/runtime/program.ts';
import { DEMO_WORDS } from '../../../src/protocol/instructions.ts';
import { createTestOutside } from '../../helpers/outside.ts';

const caller = (subject: string) => ({
  issuer: 'https://login.example',
  subject,
  groups: [],
  scopes: ['seller:read'],
  expiresAt: Number.MAX_SAFE_INTEGER,
});

it('ends idle sessions with the last one that is used, and says so once', async () => {
  const clock = { now: 0 };
  const program = createProgram(createTestOutside({ env: { SELLER_SANDBOX: '1' } }));
  const people = openSandboxUserSessions({ ...program, now: () => clock.now });
  onTestFinished(async () => {
    await people.close();
    await program.close();
  });
  const [anna, ben] = [await people.sessionOf(caller('anna')), await people.sessionOf(caller('ben'))];
  expect(anna).not.toBe(ben);
  expect(anna && people.connectedOf(anna)).toEqual({ named: undefined });
  clock.now = 31 * 60_000;
  // Somebody uses theirs: the tables of the one seller are in use.
  expect(await people.sessionOf(caller('ben'))).toBe(ben);
  await sleep(2_200);
  expect(await people.sessionOf(caller('anna'))).toBe(anna);
  clock.now = 62 * 60_000;
  await sleep(2_200);
  const again = await people.sessionOf(caller('anna'));
  expect(again).not.toBe(anna);
  expect(again?.takeNews?.()).toContain('had ended after 30 idle minutes');
  expect(again?.takeNews?.()).toBe(DEMO_WORDS);
  expect(again?.takeNews?.()).toBeUndefined();
}, 15_000);
