/** Codes on a real store: whatever becomes of the store at any step, of all who get a code one at most sends it. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PREFIX } from '../../../src/replicas/shared-store.ts';
import { codesOfReplicas } from '../../../src/write/ask/codes-of-replicas.ts';
import { createConfirmations, createIssuedCodes } from '../../../src/write/ask/confirmation.ts';
import type { WriteContent } from '../../../src/write/run/send-write.ts';
import { type Cut, cutStore } from '../../helpers/cut-store.ts';
import { mayUseStore, STORE_NAME } from '../../helpers/redis.ts';
import { createStateSealer, useStore } from '../../helpers/shared-store.ts';

const sealer = createStateSealer();
const redis = useStore();

const content: WriteContent = {
  account: 'lamps',
  operation: 'Supply Sources/updateSupplySource',
  parameters: { supplySourceId: 'ss-1' },
  body: { alias: 'North' },
  identity: {
    sellerId: 'A1',
    clientId: 'c',
    grant: 'g',
    baseUrl: 'https://a.example',
    authUrl: 'https://b.example',
  },
};
const other = { ...content, body: { alias: 'South' } };

function openReplica(own = sealer, whose = 'anna') {
  const { store, cut } = cutStore(redis.store);
  const alone = createIssuedCodes(() => performance.now());
  const codes = codesOfReplicas({ whose, kind: 'code', alone }, { store, sealer: async () => own });
  return { ...createConfirmations(codes), cut };
}

const anyCut = fc.constantFrom<Cut>('none', 'none', 'before', 'after');
const anyStep = fc.record({
  at: fc.nat({ max: 1 }),
  /** Which of the codes that were given so far. */
  code: fc.nat({ max: 5 }),
  does: fc.constantFrom('issue', 'redeem', 'redeem', 'redeem other', 'redeem at both'),
  cuts: fc.array(anyCut, { maxLength: 4 }),
});

// Skipped for a newcomer without a store, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  it('one at most sends, whatever is lost; and one does where nothing is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
        const replicas = [openReplica(), openReplica()] as const;
        const given: { code: string; sent: number; wasCut: boolean }[] = [];
        for (const { at, code, does, cuts } of steps) {
          const one = replicas[at] ?? replicas[0];
          const lost = [...cuts];
          for (const each of replicas) each.cut(() => lost.shift() ?? 'none');
          if (does === 'issue') {
            given.push({
              code: await one.issue(content),
              sent: 0,
              wasCut: cuts.some((cut) => cut !== 'none'),
            });
            continue;
          }
          const known = given[code % Math.max(1, given.length)];
          if (known === undefined) continue;
          const all = does === 'redeem at both' ? [...replicas, ...replicas] : [one];
          const told = await Promise.all(
            all.map(({ redeem }) => redeem(does === 'redeem other' ? other : content, known.code)),
          );
          const sent = told.filter((each) => each === 'ok').length;
          known.wasCut ||= cuts.some((cut) => cut !== 'none');
          if (does === 'redeem other') expect(sent).toBe(0);
          else if (!known.wasCut) expect(sent).toBe(known.sent === 0 ? 1 : 0);
          known.sent += sent;
          expect(known.sent).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is no other person’s, and nobody’s without the key', async () => {
    const code = await openReplica().issue(content);
    const stranger = createStateSealer(8);
    expect(await openReplica(sealer, 'ben').redeem(content, code)).toBe('unknown');
    expect(await openReplica(stranger).redeem(content, code)).toBe('unknown');
    expect(await openReplica().redeem(content, code)).toBe('ok');
  });

  it('of two persons, what one was given cannot be put in the place of the other’s', async () => {
    const code = await openReplica().issue(content);
    const keys = (await redis.command('KEYS', `${PREFIX}*:code:*`)).split('\r\n');
    const key = keys.find((line) => line.startsWith(PREFIX)) ?? '';
    await openReplica(sealer, 'ben').issue(content);
    const after = (await redis.command('KEYS', `${PREFIX}*:code:*`)).split('\r\n');
    const bens = after.find((line) => line.startsWith(PREFIX) && line !== key) ?? '';
    const forged = `${bens.slice(0, bens.lastIndexOf(':'))}${key.slice(key.lastIndexOf(':'))}`;
    await redis.command('COPY', key, forged);
    expect(await openReplica(sealer, 'ben').redeem(content, code)).toBe('unknown');
  });

  it('without a key it is good here alone, and a key of ours that holds something else is no code', async () => {
    const none = { ...sealer, seal: () => Promise.reject(new Error('no keychain')) };
    const [here, there] = [openReplica(none), openReplica(none)];
    const code = await here.issue(content);
    expect(await redis.command('DBSIZE')).not.toBe(':0');
    expect(await redis.command('KEYS', `${PREFIX}*:code:*`)).toBe('*0\r\n');
    expect(await there.redeem(content, code)).toBe('unknown');
    expect(await here.redeem(content, code)).toBe('ok');
    const sharedCode = await openReplica().issue(content);
    const [, key = ''] =
      /(seller-commerce-mcp\S+:code:\S+)/.exec(await redis.command('KEYS', `${PREFIX}*:code:*`)) ?? [];
    await redis.command('SET', key, 'of another program');
    expect(await openReplica().redeem(content, sharedCode)).toBe('away');
    await redis.command('DEL', key);
    expect(await openReplica().redeem(content, sharedCode)).toBe('unknown');
  });

  it('is told as too old after ten minutes of the store', async () => {
    const code = await openReplica().issue(content);
    const [, key = ''] =
      /(seller-commerce-mcp\S+:code:\S+)/.exec(await redis.command('KEYS', `${PREFIX}*:code:*`)) ?? [];
    await redis.command('PEXPIRE', key, '600001');
    expect(await openReplica().redeem(other, code)).toBe('other-content');
    await redis.command('PEXPIRE', key, '600000');
    expect(await openReplica().redeem(content, code)).toBe('expired');
  });
});
