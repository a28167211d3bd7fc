/** Tokens that processes share, on a real store: bought once, sealed, read by whoever lost the race. */

import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { Token, TokensOfReplicas } from '../../../src/call/tokens/token-cache.ts';
import { lifetime } from '../../../src/call/tokens/token-lifetime.ts';
import { tokensOfReplicas } from '../../../src/call/tokens/tokens-of-replicas.ts';
import type { SharedStore } from '../../../src/replicas/shared-store.ts';
import { mayUseStore, STORE_NAME, startPostgres } from '../../helpers/postgres.ts';
import { connectTo, createStateSealer, useStore } from '../../helpers/shared-store.ts';

const shared = useStore();
const opened: SharedStore[] = [];
/** All replicas have it. */
const sealer = createStateSealer();

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(own = sealer, address?: string): Promise<TokensOfReplicas> {
  const store = await connectTo(address ?? shared.server.address);
  opened.push(store);
  // A busy machine may take longer than a replica waits for its store, and each buys its own token until then.
  if (address === undefined) await expect.poll(() => store.isHere).toBe(true);
  return tokensOfReplicas({ store, sealer: async () => own }, systemClock);
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
let bought = 0;
const buying =
  (ms = 100, lifeMs = 3_600_000) =>
  async (): Promise<Token> => {
    bought += 1;
    const value = `Atza|token-${bought}`;
    await sleep(ms);
    return { value, life: lifetime(lifeMs, systemClock) };
  };

// Skipped for a newcomer without a store, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  it('is bought once, however many ask at once and later', async () => {
    const all = await Promise.all([open(), open(), open(), open()]);
    const before = bought;
    const tokens = await Promise.all(all.map((one) => one.get('seller', undefined, buying())));
    const later = await (await open()).get('seller', undefined, buying());
    expect(bought - before).toBe(1);
    expect(new Set([...tokens, later].map(({ value }) => value)).size).toBe(1);
    const { usableUntil, expiresAt } = later.life;
    expect(usableUntil - systemClock.now()).toBeGreaterThan(3_500_000);
    expect(expiresAt - Date.now()).toBeLessThanOrEqual(3_600_000);
    await (await open()).get('another seller', undefined, buying(0));
    expect(bought - before).toBe(2);
  });

  it('a refresh token that was rotated is kept for hours, by the microseconds of the store', async () => {
    await (await open()).keepRotated('seller', 'Atzr|rotated');
    const [kept] = await shared.server.query('SELECT expires FROM kept');
    expect(Number(kept?.expires) / 1_000 - Date.now()).toBeGreaterThan(3_000_000);
  });

  it('one that the service refused is bought anew, once, and a third has the new one', async () => {
    const [one, other, third] = await Promise.all([open(), open(), open()]);
    const { value: old } = await one.get('seller', undefined, buying(0));
    const before = bought;
    const tokens = await Promise.all([
      one.get('seller', old, buying()),
      other.get('seller', old, buying()),
      third.get('seller', old, buying()),
    ]);
    expect(bought - before).toBe(1);
    expect(tokens.map(({ value }) => value)).not.toContain(old);
    expect((await third.get('seller', undefined, buying())).value).toBe(tokens[0].value);
  });

  it('a purchase that fails is the next one’s to make, at once', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    let isBuying = false;
    const failing = one.get('seller', undefined, async () => {
      isBuying = true;
      await sleep(100);
      throw new Error('refused');
    });
    while (!isBuying) await sleep(1);
    const waiting = other.get('seller', undefined, buying(0));
    await expect(failing).rejects.toThrow('refused');
    const began = performance.now();
    expect((await waiting).value).toBe(`Atza|token-${bought}`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('nothing of it can be read in the store, and what another was given cannot be put in its place', async () => {
    const tokens = await open();
    const { value: ofOne } = await tokens.get('seller one', undefined, buying(0));
    await tokens.keepRotated('seller one', 'Atzr|new');
    const { value: ofTwo } = await tokens.get('seller two', undefined, buying(0));
    const read = (table: string) => shared.server.query(`SELECT * FROM ${table}`);
    const rows = [...(await read('tokens')), ...(await read('kept'))];
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toMatch(/seller (?:one|two)|Atza|Atzr/);
    expect(await tokens.rotated('seller one')).toBe('Atzr|new');
    expect(await tokens.rotated('seller two')).toBeUndefined();
    // Anybody who can write to the store could move a token from one seller to the other.
    const [first, second] = rows.map(({ name }) => name);
    const move = `UPDATE tokens SET (digest, sealed, ends) =
      (SELECT digest, sealed, ends FROM tokens WHERE name = $1) WHERE name = $2`;
    await shared.server.query(move, [first, second]);
    expect((await tokens.get('seller one', undefined, buying(0))).value).not.toBe(ofTwo);
    expect((await tokens.get('seller two', undefined, buying(0))).value).not.toBe(ofOne);
    const stranger = createStateSealer(8);
    expect((await (await open(stranger)).get('seller one', undefined, buying(0))).value).toBe(
      `Atza|token-${bought}`,
    );
  });

  it('who has no key buys its own, and holds nobody up', async () => {
    const [one, store] = [await open(), opened.at(-1)];
    if (store === undefined) throw new Error('no store');
    const { value } = await one.get('seller', undefined, buying(0));
    const without = tokensOfReplicas(
      { store, sealer: () => Promise.reject(new Error('no keychain')) },
      systemClock,
    );
    expect((await without.get('seller', undefined, buying(0))).value).not.toBe(value);
    await without.get('another', undefined, buying(0));
    await without.keepRotated('seller', 'Atzr|new');
    expect(await without.rotated('seller')).toBeUndefined();
    const began = performance.now();
    await one.get('another', undefined, buying(0));
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('one that is about to end is bought anew', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const { value } = await one.get('seller', undefined, buying(0, 50_000));
    expect((await other.get('seller', undefined, buying(0))).value).not.toBe(value);
  });

  it('without the store each buys its own', async () => {
    const own = await startPostgres();
    const tokens = await open(sealer, own.address);
    await own.stop();
    expect((await tokens.get('seller', undefined, buying(0))).value).toBe(`Atza|token-${bought}`);
    await tokens.keepRotated('seller', 'Atzr|new');
    expect(await tokens.rotated('seller')).toBeUndefined();
  });
});
