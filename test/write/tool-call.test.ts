/** A code alone: what is neither a code that was shown nor the id of a list stands for nothing, and nothing is called. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerCall, withholdMarks } from '../../src/write/tool-call.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
beforeAll(async () => {
  runner = await startToolRunner(() => ({ body: {} }));
});
afterAll(() => runner.close());

const id = fc.stringMatching(/^[0-9a-f]{8}$/);
const beside = fc.stringMatching(/^[A-Z0-9a-f-]{0,6}$/);

it('the id of a list is taken for one where it stands alone', async () => {
  const called: unknown[] = [];
  const call = (confirmationCode: string) =>
    answerCall('change_listings', { confirmationCode }, toolContext(runner.session), async (args) => {
      called.push(args);
      return { text: '', structured: {} };
    });
  await fc.assert(
    fc.asyncProperty(beside, id, beside, async (before, list, after) => {
      const isId = before + after === '';
      const why = isId ? `There is no list ${list} of change_listings` : 'this confirmation code stands for';
      await expect(call(before + list + after)).rejects.toThrow(why);
    }),
    { examples: [['', '0a0b0c0d', '']], numRuns: 50 },
  );
  expect(called).toEqual([]);
});

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
        const context = withholdMarks({ ...toolContext(session), session: { ...session, client } }, true);
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
  const asked = (isPreview: boolean) => withholdMarks({ ...context, person }, isPreview).person.canConfirm;
  expect([asked(true), asked(false)]).toEqual([false, true]);
});
