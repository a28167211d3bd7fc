/** A code sends one exact content, once, in time: every other use is refused. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical-json.ts';
import { isJsonObject } from '../../../src/base/json.ts';
import {
  CODE_LIFETIME_MS,
  createConfirmations,
  createIssuedCodes,
  explainRedemption,
} from '../../../src/write/approval/confirmation.ts';
import type { WriteContent } from '../../../src/write/run/send-write.ts';

const IDENTITY = {
  sellerId: 'A1SELLER',
  clientId: 'client-1',
  grant: 'grant-1',
  baseUrl: 'https://service.example',
  authUrl: 'https://identity.example',
};

const content: WriteContent = {
  account: 'default',
  operation: 'Supply Sources/updateSupplySource',
  parameters: { supplySourceId: 'ss-1' },
  body: { alias: 'North', configuration: { timezone: 'Europe/Berlin' } },
  identity: IDENTITY,
};

function setUp() {
  const clock = { now: 1_000 };
  return { clock, confirmations: createConfirmations(createIssuedCodes(() => clock.now)) };
}

const anyContent: fc.Arbitrary<WriteContent> = fc.record({
  account: fc.string({ minLength: 1 }),
  operation: fc.string({ minLength: 1 }),
  parameters: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })),
  body: fc.option(fc.jsonValue(), { nil: undefined }),
  identity: fc.constant(IDENTITY),
});

describe('confirmation codes', () => {
  it('are 29 characters that read the same aloud, and work once', async () => {
    const { confirmations } = setUp();
    const code = await confirmations.issue(content);
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/);
    expect(await confirmations.redeem(content, code)).toBe('ok');
    expect(await confirmations.redeem(content, code)).toBe('used');
  });

  it('work for the same content in another order of members, and however they are copied', async () => {
    const { confirmations } = setUp();
    const code = await confirmations.issue(content);
    const reordered = { ...content, body: { configuration: { timezone: 'Europe/Berlin' }, alias: 'North' } };
    const copied = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'I')} `;
    expect(await confirmations.redeem(reordered, copied)).toBe('ok');
  });

  it('are refused for any other content, and still work for their own', async () => {
    const { confirmations } = setUp();
    await fc.assert(
      fc.asyncProperty(anyContent, anyContent, async (mine, other) => {
        fc.pre(canonicalJson(mine) !== canonicalJson(other));
        const code = await confirmations.issue(mine);
        expect(await confirmations.redeem(other, code)).toBe('other-content');
        expect(await confirmations.redeem(mine, code)).toBe('ok');
        expect(await confirmations.redeem(mine, code)).toBe('used');
      }),
    );
  });

  it('are refused when a single place of the content changes', async () => {
    const { confirmations } = setUp();
    await fc.assert(
      fc.asyncProperty(anyContent, fc.nat(), fc.jsonValue(), async (mine, at, replacement) => {
        const other = replaceOne(mine, at, replacement);
        fc.pre(canonicalJson(mine) !== canonicalJson(other));
        expect(await confirmations.redeem(other, await confirmations.issue(mine))).toBe('other-content');
      }),
    );
  });

  it('are refused when any character is copied wrongly', async () => {
    const { confirmations } = setUp();
    const code = await confirmations.issue(content);
    for (const [at, character] of [...code].entries()) {
      if (character === '-') continue;
      const wrong = code.slice(0, at) + (character === '7' ? '8' : '7') + code.slice(at + 1);
      expect(['other-content', 'unknown']).toContain(await confirmations.redeem(content, wrong));
    }
    expect(await confirmations.redeem(content, code)).toBe('ok');
  });

  it('say whether another seller or another state is why; one that was used has changed the state itself', async () => {
    const { confirmations } = setUp();
    const [seller, state] = [
      { ...content, identity: { ...content.identity, baseUrl: 'x' } },
      { ...content, stateDigest: 'x' },
    ];
    const code = await confirmations.issue(content);
    expect(await confirmations.redeem({ ...seller, stateDigest: 'x' }, code)).toBe('other-seller');
    expect(await confirmations.redeem(state, code)).toBe('other-state');
    expect(await confirmations.redeem(content, code)).toBe('ok');
    expect(await confirmations.redeem(state, code)).toBe('used');
    expect(await confirmations.redeem({ ...content, account: 'x' }, code)).toBe('other-content');
  });

  it('work until ten minutes are over, and not at that moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 2 * CODE_LIFETIME_MS }), async (waitedMs) => {
        const { confirmations, clock } = setUp();
        const code = await confirmations.issue(content);
        clock.now += waitedMs;
        expect(await confirmations.redeem(content, code)).toBe(
          waitedMs < CODE_LIFETIME_MS ? 'ok' : 'expired',
        );
      }),
    );
    const { confirmations, clock } = setUp();
    const code = await confirmations.issue(content);
    clock.now += CODE_LIFETIME_MS;
    expect(await confirmations.redeem(content, code)).toBe('expired');
  });

  it('are refused by another process, and after more than a thousand others', async () => {
    const { confirmations } = setUp();
    const code = await confirmations.issue(content);
    expect(await setUp().confirmations.redeem(content, code)).toBe('unknown');
    for (let count = 0; count < 1_000; count++) await confirmations.issue(content);
    expect(await confirmations.redeem(content, code)).toBe('unknown');
  });

  it('cannot be made up, even with the name of one that was issued', async () => {
    const { confirmations, clock } = setUp();
    const name = (await confirmations.issue(content)).slice(0, 9);
    const forger = createConfirmations(createIssuedCodes(() => clock.now));
    const other = await forger.issue(content);
    expect(await confirmations.redeem(content, name + other.slice(9))).toBe('other-content');
  });

  it.each(['', 'yes', 'aaaa', 'u'.repeat(24), '0'.repeat(25), '0000-0000-0000-0000-0000-000!'])(
    'are not such texts as %j',
    async (text) => {
      expect(await setUp().confirmations.redeem(content, text)).toBe('malformed');
    },
  );

  it.each(['used', 'expired', 'other-content', 'malformed', 'unknown', 'away'] as const)(
    'when %s, the text says what to do',
    (redemption) => {
      expect(explainRedemption(redemption)).toMatch(/without a code to get a preview/);
    },
  );
});

/** The content with the `at`-th of its leaves (counted around) replaced. */
function replaceOne(mine: WriteContent, at: number, replacement: unknown): WriteContent {
  const { account, operation, parameters, body } = mine;
  const variant = at % 4;
  if (variant === 0) return { ...mine, account: `${account}${JSON.stringify(replacement)}` };
  if (variant === 1) return { ...mine, operation: `${operation} ` };
  if (variant === 2) return { ...mine, parameters: { ...parameters, [`p${at}`]: replacement } };
  return { ...mine, body: replaceLeaf(body, Math.floor(at / 4), replacement) };
}

function replaceLeaf(value: unknown, at: number, replacement: unknown): unknown {
  const names = isJsonObject(value) ? Object.keys(value) : [];
  const name = names[at % Math.max(1, names.length)];
  if (!isJsonObject(value) || name === undefined) return replacement;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === name ? replaceLeaf(inner, at + 1, replacement) : inner,
    ]),
  );
}
