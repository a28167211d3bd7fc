import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { missingAccountError } from '../../src/accounts/missing-account.ts';
import { InputError } from '../../src/base/errors.ts';
import { openSession } from '../../src/program/runtime/open-session.ts';
import { createProgram } from '../../src/program/runtime/program.ts';
import { defineTool } from '../../src/protocol/define-tool.ts';
import { handleCall } from '../../src/protocol/handle-call.ts';
import type { ToolAnswer } from '../../src/render/tool-answer.ts';
import type { Session, ToolContext } from '../../src/write/session.ts';
import { createTestOutside } from '../helpers/outside.ts';
import { type CallThroughOptions, callThrough } from '../helpers/server-context.ts';

const SECRET = 'canary-secret-42';
const LAST = 'the last line';

async function call(
  run: (ctx: ToolContext) => Promise<ToolAnswer<{ value?: unknown }>>,
  options: CallThroughOptions = {},
  parts: Partial<Session> = {},
) {
  const tool = defineTool({
    name: 'try_it',
    title: 'Try it',
    description: 'Tries it.',
    effect: 'read',
    input: z.strictObject({}),
    output: z.looseObject({ value: z.unknown().optional() }),
    run: (_args, context) => run(context),
  });
  const env = { SELLER_CLIENT_SECRET: SECRET, SELLER_LOG_LEVEL: 'error', SELLER_CALL_TIMEOUT_MS: '20000' };
  const io = createTestOutside({ env });
  const session = { ...openSession(createProgram(io)), ...parts };
  const result = await callThrough(
    (ctx, connected) => handleCall(tool, {}, ctx, session, connected),
    options,
  );
  // Log lines come a moment later, in their order.
  session.log.error(LAST);
  await expect.poll(() => io.err()).toContain(LAST);
  const logged = io
    .err()
    .split('\n')
    .filter((line) => !line.includes(LAST))
    .join('\n');
  return { result, logged, json: JSON.stringify(result) };
}

describe('handleCall', () => {
  it('redacts text and structured content, keys included', async () => {
    const { result, json } = await call(async () => ({
      text: `it is ${SECRET}`,
      structured: { value: { [SECRET]: [SECRET, Buffer.from(SECRET).toString('base64')] } },
    }));
    expect(result.content).toEqual([{ type: 'text', text: 'it is [redacted]' }]);
    expect(result.isError).toBeFalsy();
    expect(json).not.toMatch(/canary|Y2FuYXJ5/);
  });

  it('counts the time of a call from its start, with whatever had to be loaded first', async () => {
    const { personal } = openSession(createProgram(createTestOutside({ env: {} })));
    let [loadingFrom, deadline] = [0, 0];
    const slow = async () => {
      loadingFrom = performance.now();
      await sleep(50);
      return personal();
    };
    await call(
      async (context) => {
        deadline = context.call.deadline;
        return { text: '', structured: {} };
      },
      {},
      { personal: slow },
    );
    expect(deadline).toBeLessThanOrEqual(loadingFrom + 20_000);
  });

  it('adds links to what did not fit', async () => {
    const links = [{ uri: 'seller://answers/1', name: 'Full answer' }];
    const { result } = await call(async () => ({ text: 'short', structured: {}, links }));
    expect(result.content).toMatchObject([{ type: 'text' }, { type: 'resource_link', ...links[0] }]);
  });

  it('turns what was expected into an error that is redacted, and logs nothing', async () => {
    const { result, logged } = await call(async () => {
      throw new InputError(`wrong ${SECRET}`);
    });
    expect(result).toMatchObject({ isError: true, content: [{ text: 'wrong [redacted]' }] });
    expect(logged).toBe('');
  });

  it('shows nothing of what was not expected, and logs it redacted', async () => {
    const inner = 'x is undefined';
    const { result, json, logged } = await call(async () => {
      throw new TypeError(`${inner} near ${SECRET}`);
    });
    expect(result.isError).toBe(true);
    expect(json).not.toContain(inner);
    expect(logged).toContain(inner);
    expect(logged).not.toContain('canary');
  });

  it('asks the person and runs the tool again with the answer', async () => {
    let runs = 0;
    const { result } = await call(
      async ({ person }) => {
        runs += 1;
        const answer = person.answer('confirm');
        if (answer === undefined) return person.confirm('confirm', 'Really?', 'state-1');
        return { text: answer.action, structured: {} };
      },
      { capabilities: { elicitation: { form: {} } }, elicit: () => 'decline' },
    );
    expect(result.content).toMatchObject([{ text: 'decline' }]);
    expect(runs).toBe(2);
  });

  it('gives the tool the signal of this one call', async () => {
    const caller = new AbortController();
    const seen: boolean[] = [];
    const pending = call(
      async ({ call: { signal } }) => {
        caller.abort(new Error('enough'));
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        seen.push(signal.aborted);
        return { text: '', structured: {} };
      },
      { signal: caller.signal },
    );
    await expect(pending).rejects.toThrow();
    await expect.poll(() => seen).toEqual([true]);
  });

  it('counts the time of the call from when the person has filled in the page', async () => {
    const PAGE_MS = 300;
    const deadlines: number[] = [];
    const { result } = await call(
      async ({ call: { deadline } }) => {
        deadlines.push(deadline);
        if (deadlines.length === 1) throw missingAccountError('default', []);
        return { text: 'went on', structured: {} };
      },
      { capabilities: { elicitation: { url: {} } }, elicit: () => 'accept' },
      {
        credentialsPages: async () => ({
          offer: async () => ({ id: '/page', url: 'http://127.0.0.1:1/page' }),
          awaitPage: () => new Promise((resolve) => setTimeout(resolve, PAGE_MS)),
        }),
      },
    );
    expect(result.content).toMatchObject([{ text: 'went on' }]);
    const [first = 0, second = 0] = deadlines;
    // A timer may be a millisecond early.
    expect(second - first).toBeGreaterThan(PAGE_MS - 10);
  });
});
