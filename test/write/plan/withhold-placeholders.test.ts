/** Tests that a call without a question sends a placeholder's value in no position and no form. */

import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { withholdPlaceholders } from '../../../src/write/plan/withhold-placeholders.ts';
import { startToolRunner, toolContext } from '../../helpers/tool-runner.ts';

const runner = await startToolRunner(() => ({ body: {} }));
afterAll(() => runner.close());

it('what a mark stands for leaves in no place and no form, and everything else does', async () => {
  const secrets = fc.uniqueArray(fc.constantFrom('Li Wei', '4711', 'li@example.com'), {
    minLength: 0,
    maxLength: 2,
  });
  const plain = fc.constantFrom('lamp', 'Li', 12, true, null);
  const { session } = runner;
  const sent: unknown[] = [];
  const sending = await session.client();
  const client = async () => ({
    ...sending,
    async call(input: unknown): Promise<never> {
      sent.push(input);
      throw new Error('it left');
    },
  });
  const operation = (await session.program.registry()).find('listings-items/patchListingsItem');
  await fc.assert(
    fc.asyncProperty(
      secrets,
      fc.constantFrom('Li Wei', '4711', 'li@example.com'),
      plain,
      fc.nat(5),
      fc.boolean(),
      async (withheld, secret, other, form, isBody) => {
        const context = withholdPlaceholders(
          { ...toolContext(session), session: { ...session, client } },
          true,
        );
        for (const one of withheld) context.withheld?.add(one);
        const forms: unknown[] = [
          secret,
          `dear ${secret}!`,
          [other, [secret]],
          { a: { b: secret } },
          { [`of ${secret}`]: other },
          secret === '4711' ? 4711 : secret,
        ];
        const hidden = forms[form];
        const value = { a: other, b: hidden };
        const input = {
          operation,
          account: 'default',
          parameters: isBody ? { a: other } : value,
          body: isBody ? value : other,
        };
        const before = sent.length;
        const call = (await context.session.client()).call(input, context.call);
        if (withheld.includes(secret)) {
          await expect(call).rejects.toMatchObject({
            message: expect.stringContaining('nothing was sent'),
            hint: expect.stringContaining('without dryRun'),
          });
          expect(sent).toHaveLength(before);
        } else {
          await expect(call).rejects.toThrow('it left');
          expect(sent.slice(before)).toEqual([input]);
        }
      },
    ),
    { numRuns: 120 },
  );
});

it('nobody is asked about what is only shown', () => {
  const context = toolContext(runner.session);
  const person = { ...context.person, canConfirm: true };
  const asked = (isPreview: boolean) =>
    withholdPlaceholders({ ...context, person }, isPreview).person.canConfirm;
  expect([asked(true), asked(false)]).toEqual([false, true]);
});
