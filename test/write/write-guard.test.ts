/** Tests the conditions of a write by mode, and what a confirmation is bound to. */

import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/base/config.ts';
import { WriteRefusedError } from '../../src/base/errors.ts';
import { HOST_ANSWERS_WITHIN_MS, type UserAnswer } from '../../src/render/client-user.ts';
import type { Operation } from '../../src/service/facts/operation.ts';
import { CODE_LIFETIME_MS } from '../../src/write/approval/confirmation.ts';
import { AskAtPage } from '../../src/write/approval/page/ask-at-page.ts';
import { contentOf } from '../../src/write/run/send-write.ts';
import type { ApprovalRequest } from '../../src/write/write-guard.ts';
import {
  buildWrite,
  type GuardForTest,
  OWNER,
  openGuard,
  type RequestedWrite,
  runWrite,
} from './run/open-guard.ts';

async function previewCode(opened: GuardForTest, write: RequestedWrite): Promise<string> {
  const preview = await runWrite(opened.guard, write);
  if (preview.outcome !== 'needs_confirmation') throw new Error(preview.outcome);
  return preview.code;
}

/** Thrown by a person that is asked, as AskPerson is. */
class Asked extends Error {
  readonly key: string;
  readonly state: string;
  constructor(key: string, message: string, state: string) {
    super(message);
    this.key = key;
    this.state = state;
  }
}

const answering = (answer?: ReturnType<ApprovalRequest['person']['answer']>): ApprovalRequest['person'] => ({
  canConfirm: true,
  answer: (key) => (key === 'confirm' ? answer : undefined),
  confirm(key, message, state) {
    throw new Asked(key, message, state);
  },
});

async function askedState(opened: GuardForTest, write = buildWrite()): Promise<string> {
  const asked: unknown = await runWrite(opened.guard, { ...write, person: answering() }).catch(
    (error: unknown) => error,
  );
  if (!(asked instanceof Asked)) throw new Error('nobody was asked');
  expect(asked).toMatchObject({ key: 'confirm', message: 'what is written' });
  return asked.state;
}

const accepted = (state: string) => answering({ action: 'accept', state });

describe('with codes', () => {
  it('what the account fills in is confirmed too: a code for one seller does not write to another', async () => {
    const opened = await openGuard('code');
    const mine = buildWrite({ prepared: { filledIn: { sellerId: 'SELLER-1' }, owner: OWNER } });
    const confirmationCode = await previewCode(opened, mine);
    const other = buildWrite({
      prepared: { filledIn: { sellerId: 'SELLER-2' }, owner: OWNER },
      confirmationCode,
    });
    await expect(runWrite(opened.guard, other)).rejects.toThrow('belongs to another content');
    expect(opened.sent).toEqual([]);
    expect(await runWrite(opened.guard, { ...mine, confirmationCode })).toMatchObject({ outcome: 'done' });
    expect(opened.sent).toHaveLength(1);
  });

  it('the journal records it with the other parameters', async () => {
    const opened = await openGuard('code');
    const write = buildWrite({ prepared: { filledIn: { sellerId: 'SELLER-1' }, owner: OWNER } });
    await runWrite(opened.guard, { ...write, confirmationCode: await previewCode(opened, write) });
    expect(await opened.entries()).toMatchObject([
      { outcome: 'done', parameters: { supplySourceId: 's', sellerId: 'SELLER-1' } },
    ]);
  });

  it('a preview records nothing, a code that does not work is recorded as refused', async () => {
    const opened = await openGuard('code');
    const confirmationCode = await previewCode(opened, buildWrite());
    expect(await opened.entries()).toEqual([]);
    opened.clock.now += CODE_LIFETIME_MS;
    await expect(runWrite(opened.guard, buildWrite({ confirmationCode }))).rejects.toThrow(
      /older than 10 minutes\. .* Nothing was sent\.$/,
    );
    expect(await opened.entries()).toMatchObject([
      { outcome: 'refused', error: expect.stringContaining('older than 10 minutes') },
    ]);
  });

  it('a code of one guard is unknown to another: sessions do not share them', async () => {
    const [one, other] = [await openGuard('code'), await openGuard('code')];
    const confirmationCode = await previewCode(one, buildWrite());
    await expect(runWrite(other.guard, buildWrite({ confirmationCode }))).rejects.toThrow(
      'was not issued by',
    );
    expect(other.sent).toEqual([]);
    expect(await runWrite(one.guard, buildWrite({ confirmationCode }))).toMatchObject({ outcome: 'done' });
  });

  it('a person who could be asked is not', async () => {
    const opened = await openGuard('code');
    expect(await previewCode(opened, buildWrite({ person: answering() }))).toMatch(/^.{29}$/);
  });
});

describe('with questions to the person', () => {
  it('asks with the preview, and sends after a yes', async () => {
    const opened = await openGuard('ask');
    const state = await askedState(opened);
    expect(opened.sent).toEqual([]);
    expect(await runWrite(opened.guard, buildWrite({ person: accepted(state) }))).toMatchObject({
      outcome: 'done',
    });
  });

  it.each([
    ['decline', 'The person said no; nothing was sent.'],
    ['cancel', 'The person closed the question; nothing was sent.'],
  ] as const)('a %s is final and recorded', async (action, message) => {
    const opened = await openGuard('ask');
    const state = await askedState(opened);
    opened.clock.now += HOST_ANSWERS_WITHIN_MS;
    const person = { ...answering({ action, state }), isHere: true };
    await expect(runWrite(opened.guard, buildWrite({ person }))).rejects.toMatchObject({
      name: 'WriteRefusedError',
      message,
    });
    expect(opened.sent).toEqual([]);
    expect(await opened.entries()).toMatchObject([{ outcome: 'refused', error: message }]);
  });

  it('a yes counts once, for what was asked, in time, and from the question itself', async () => {
    const opened = await openGuard('ask');
    const state = await askedState(opened);
    const changed = buildWrite({
      person: accepted(state),
      prepared: { filledIn: { sellerId: 'OTHER' }, owner: OWNER },
    });
    await expect(runWrite(opened.guard, changed)).rejects.toMatchObject({
      message: 'What would be written has changed since the person was asked; nothing was sent.',
      hint: 'Call the tool again, so that the person is asked anew.',
    });
    await runWrite(opened.guard, buildWrite({ person: accepted(state) }));
    const again = buildWrite({ person: accepted(state) });
    const invalid = 'The question to the person is no longer valid; nothing was sent.';
    await expect(runWrite(opened.guard, again)).rejects.toThrow(invalid);
    const without = buildWrite({ person: answering({ action: 'accept', state: undefined }) });
    await expect(runWrite(opened.guard, without)).rejects.toThrow(invalid);
    expect(opened.sent).toHaveLength(1);
  });

  it.each([
    [
      'the account has become another',
      { prepared: { filledIn: {}, owner: { ...OWNER, sellerId: 'A2' } } },
      'The account has other credentials or another address',
    ],
    [
      'the state has changed',
      { stateDigest: 'other' },
      'The state that the changes were compared with has changed',
    ],
  ])('a yes is not one to what is sent when %s', async (_case, change, reason) => {
    const opened = await openGuard('ask');
    const state = await askedState(opened, buildWrite({ stateDigest: 'shown' }));
    const changed = buildWrite({ stateDigest: 'shown', ...change, person: accepted(state) });
    await expect(runWrite(opened.guard, changed)).rejects.toMatchObject({
      message: `${reason} since the person was asked; nothing was sent.`,
      hint: 'Call the tool again, so that the person is asked anew.',
    });
    expect(opened.sent).toEqual([]);
  });

  it('a code in place of an answer sends nothing, and a question is no code', async () => {
    let mode: Config['writes'] = 'code';
    const opened = await openGuard(() => mode);
    const code = await previewCode(opened, buildWrite());
    mode = 'ask';
    await expect(runWrite(opened.guard, buildWrite({ person: accepted(code) }))).rejects.toThrow(
      'no longer valid',
    );
    const state = await askedState(opened);
    mode = 'code';
    await expect(runWrite(opened.guard, buildWrite({ confirmationCode: state }))).rejects.toThrow(
      'not issued',
    );
    mode = 'ask';
    await expect(
      runWrite(opened.guard, buildWrite({ person: answering(), confirmationCode: code })),
    ).rejects.toBeInstanceOf(Asked);
    expect(opened.sent).toEqual([]);
  });
});

describe('what may be the host’s own answer', () => {
  const ACTIONS = ['decline', 'cancel', 'failed'] as const;
  /** Asks, lets so much time pass, and comes back with the action. */
  async function comeBack(
    opened: GuardForTest,
    action: UserAnswer,
    { afterMs = 0, isHere = true, more = {} }: { afterMs?: number; isHere?: boolean; more?: object } = {},
  ): Promise<unknown> {
    const state = await askedState(opened, buildWrite(more));
    opened.clock.now += afterMs;
    const person = { ...answering({ action, state }), isHere };
    return runWrite(opened.guard, buildWrite({ ...more, person })).catch((error: unknown) => error);
  }

  it.each(ACTIONS)('leads to a page where the person sits, and to no code: %s', async (action) => {
    for (const afterMs of [0, HOST_ANSWERS_WITHIN_MS - 1]) {
      const opened = await openGuard('ask');
      expect(await comeBack(opened, action, { afterMs })).toMatchObject({
        name: 'AskAtPage',
        asked: { opensHere: true },
      });
      expect(await opened.entries()).toEqual([]);
      expect(opened.sent).toEqual([]);
    }
  });

  it.each(ACTIONS)('is refused elsewhere, with what the operator can choose: %s', async (action) => {
    const opened = await openGuard('ask');
    expect(await comeBack(opened, action, { isHere: false })).toMatchObject({
      name: 'WriteRefusedError',
      hint: expect.stringMatching(/--writes=code.*--read-only/s),
    });
    expect(await opened.entries()).toMatchObject([{ outcome: 'refused' }]);
  });

  it('a host that failed to ask is never the person, however late', async () => {
    const opened = await openGuard('ask');
    expect(await comeBack(opened, 'failed', { afterMs: 60_000 })).toBeInstanceOf(AskAtPage);
  });

  it('an answer to a question of which nobody knows when it was asked may be the host’s', async () => {
    const opened = await openGuard('ask');
    const person = { ...answering({ action: 'decline', state: undefined }), isHere: true };
    await expect(runWrite(opened.guard, buildWrite({ person }))).rejects.toBeInstanceOf(AskAtPage);
  });

  it('an approval at the page sends it, once', async () => {
    const opened = await openGuard('ask');
    const asked = await comeBack(opened, 'decline');
    if (!(asked instanceof AskAtPage)) throw new Error('no page');
    const person = accepted(await asked.asked.issue());
    expect(await runWrite(opened.guard, buildWrite({ person }))).toMatchObject({ outcome: 'done' });
    await expect(runWrite(opened.guard, buildWrite({ person }))).rejects.toThrow('nothing was sent');
  });

  it.each(['page', 'chat'] as const)(
    'after a person declined (%s) opens no page for the same change for ten minutes, whatever is there now',
    async (where) => {
      const opened = await openGuard('ask');
      const first = await comeBack(opened, 'decline', { afterMs: where === 'chat' ? 2_000 : 0 });
      if (first instanceof AskAtPage) await first.asked.refuse().catch(() => undefined);
      expect(await opened.entries()).toHaveLength(1);
      opened.clock.now += CODE_LIFETIME_MS - 1;
      const again = await comeBack(opened, 'decline', { more: { stateDigest: 'other' } });
      expect(again).toBeInstanceOf(WriteRefusedError);
      const other = { prepared: { filledIn: { sellerId: 'OTHER' }, owner: OWNER } };
      expect(await comeBack(opened, 'decline', { more: other })).toBeInstanceOf(AskAtPage);
      opened.clock.now += 1;
      expect(await comeBack(opened, 'decline')).toBeInstanceOf(AskAtPage);
    },
  );

  it('after a change was declined, a page of this program does not open for it either', async () => {
    const opened = await openGuard('page');
    const person = { ...answering(), canConfirm: false, isHere: true };
    const ask = () => runWrite(opened.guard, buildWrite({ person })).catch((error: unknown) => error);
    const asked = await ask();
    if (!(asked instanceof AskAtPage)) throw new Error('no page');
    await asked.asked.refuse().catch(() => undefined);
    expect(await ask()).toBeInstanceOf(WriteRefusedError);
  });

  it('where a host that asked says later that it cannot, there is no code for what came back without an approval', async () => {
    const opened = await openGuard('allow');
    const more = { mustAsk: true };
    const nobodyAsked = () => runWrite(opened.guard, buildWrite(more));
    expect(await nobodyAsked()).toMatchObject({ outcome: 'needs_confirmation' });
    expect(await comeBack(opened, 'decline', { more })).toBeInstanceOf(AskAtPage);
    await expect(nobodyAsked()).rejects.toBeInstanceOf(WriteRefusedError);
    opened.clock.now += CODE_LIFETIME_MS;
    expect(await nobodyAsked()).toMatchObject({ outcome: 'needs_confirmation' });
  });
});

describe('without either', () => {
  it('what is denied is recorded and not sent', async () => {
    const opened = await openGuard('deny');
    const refusal: unknown = await runWrite(opened.guard, buildWrite()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(WriteRefusedError);
    expect(refusal).toMatchObject({
      message: 'Writes are switched off here (--writes=deny); nothing was sent.',
      hint: expect.stringContaining('SELLER_READ_ONLY'),
    });
    expect(opened.sent).toEqual([]);
    expect(await opened.entries()).toMatchObject([{ outcome: 'refused' }]);
  });

  it('what is allowed is sent', async () => {
    const opened = await openGuard('allow');
    expect(await runWrite(opened.guard, buildWrite())).toMatchObject({ outcome: 'done' });
  });

  it('what holds a mark is sent only once somebody has seen what it stands for', async () => {
    const opened = await openGuard('allow');
    const marked = { parameters: { supplySourceId: '«buyer name 3f2ak9xq»' } };
    await expect(runWrite(opened.guard, buildWrite({ marked }))).rejects.toThrow(
      'Marks of personal data stand in this write',
    );
    const state = await askedState(opened, buildWrite({ marked }));
    expect(opened.sent).toEqual([]);
    const person = accepted(state);
    expect(await runWrite(opened.guard, buildWrite({ marked, person }))).toMatchObject({ outcome: 'done' });
  });

  it('a refusal that cannot be recorded says so', async () => {
    const opened = await openGuard('deny');
    const problem = new WriteRefusedError('The journal is full.');
    opened.journal.refuse = async () => problem;
    await expect(runWrite(opened.guard, buildWrite())).rejects.toThrow(
      'Writes are switched off here (--writes=deny); nothing was sent. The journal is full.',
    );
  });
});

it.each([
  ['leaves a fifth of the time to read it back', async () => ({ differences: [], notYet: [] }), 41_000],
  ['takes all of it where nothing can be read back', undefined, 51_000],
])('a write %s', async (_case, readBack, deadline) => {
  const opened = await openGuard('allow');
  await runWrite(opened.guard, buildWrite({ call: { deadline: 51_000 }, readBack }));
  expect(opened.sent[0]?.options).toMatchObject({ deadline });
});

it('a write without a deadline gets none', async () => {
  const opened = await openGuard('allow');
  await runWrite(opened.guard, buildWrite({ readBack: async () => ({ differences: [], notYet: [] }) }));
  expect(opened.sent[0]?.options).toEqual({});
});

describe('a request, which changes nothing', () => {
  const report: Operation = {
    id: 'reports/createReport',
    group: 'Reports',
    name: 'createReport',
    method: 'POST',
    path: '/reports',
    parameters: [],
    effect: 'request',
    auth: { kind: 'seller' },
    source: 'both',
  };
  const listing: Operation = {
    ...report,
    id: 'listings-items/putListingsItem',
    name: 'putListingsItem',
    effect: 'write',
    previewMode: { parameter: 'mode', value: 'VALIDATION_PREVIEW' },
  };
  const asking = (operation: Operation, parameters: Record<string, unknown> = {}) =>
    buildWrite({ input: { operation, account: 'a', parameters, body: {} }, person: answering() });

  it.each(['ask', 'code', 'allow', 'deny'] as const)('is sent at once where writes are %s', async (mode) => {
    const opened = await openGuard(mode);
    expect(await runWrite(opened.guard, asking(report))).toMatchObject({ outcome: 'requested' });
    expect(await runWrite(opened.guard, asking(listing, { mode: 'VALIDATION_PREVIEW' }))).toMatchObject({
      outcome: 'requested',
    });
    expect(opened.sent.map(({ input }) => input.owner)).toEqual([OWNER, OWNER]);
    expect(await opened.entries()).toEqual([]);
  });

  it('one that was cancelled sends nothing', async () => {
    const opened = await openGuard('allow');
    const call = { signal: AbortSignal.abort() };
    await expect(runWrite(opened.guard, { ...asking(report), call })).rejects.toThrow('nothing was sent');
    expect(opened.sent).toEqual([]);
  });

  it.each([{}, { mode: 'VALIDATION' }, { mode: ['VALIDATION_PREVIEW'] }])(
    'with %o a listing is written, which is denied',
    async (parameters) => {
      const opened = await openGuard('deny');
      await expect(runWrite(opened.guard, asking(listing, parameters))).rejects.toThrow('switched off');
      expect(opened.sent).toEqual([]);
    },
  );
});

it.each(['ask', 'code', 'allow', 'page', 'deny'] as const)(
  'what was agreed to before is sent by a process with writes: %s, unless they are switched off there',
  async (mode) => {
    const opened = await openGuard(mode);
    const sending = opened.guard.sendApproved(buildWrite());
    if (mode === 'deny') await expect(sending).rejects.toThrow('Writes are switched off here');
    else expect(await sending).toMatchObject({ outcome: 'done' });
    expect(opened.sent).toHaveLength(mode === 'deny' ? 0 : 1);
    expect(await opened.entries()).toHaveLength(mode === 'deny' ? 0 : 1);
  },
);

describe('how a yes is asked for', () => {
  const YES = ['free', 'chat', 'page', 'code', 'refused'] as const;
  const both = [true, false];
  const worlds = (['ask', 'code', 'allow', 'page', 'deny'] as const).flatMap((mode) =>
    both.flatMap((mustAsk) =>
      both.flatMap((canConfirm) =>
        both.flatMap((canOpenPage) =>
          both.flatMap((isHere) =>
            [undefined, 10, 11].flatMap((total) =>
              both.map((isMarked) => ({ mode, mustAsk, canConfirm, canOpenPage, isHere, total, isMarked })),
            ),
          ),
        ),
      ),
    ),
  );
  type World = (typeof worlds)[number];

  /** Computes the expected way from the settings. */
  function wanted({ mode, mustAsk, canConfirm, canOpenPage, isHere, total = 1, isMarked }: World) {
    if (mode === 'deny') return 'refused';
    if (mode === 'allow' && !mustAsk && !isMarked) return 'free';
    // More than ten are looked at on a page, where the host can open one.
    const isLong = canOpenPage && total > 10;
    if (mode === 'page') return canConfirm || isHere ? 'page' : 'refused';
    if (mode !== 'code' && canConfirm && !isLong) return 'chat';
    if (mode !== 'code' && canOpenPage) return 'page';
    if (mode === 'ask') return isHere ? 'page' : 'refused';
    // A code alone must not approve a placeholder, because only the assistant would confirm it.
    return isMarked ? 'refused' : 'code';
  }

  async function found({ mode, mustAsk, canConfirm, canOpenPage, isHere, total, isMarked }: World) {
    const opened = await openGuard(mode);
    const write = buildWrite();
    const parts = {
      total,
      head: '',
      around: [],
      rows: async () => [],
      renew: () => {},
      outcomes: async () => undefined,
    };
    const approval: ApprovalRequest = {
      content: contentOf(write),
      preview: 'x',
      person: { ...answering(), canConfirm, canOpenPage, isHere },
      mustAsk,
      rows: total === undefined ? undefined : { ...parts, total },
      marked: isMarked ? { parameters: {} } : undefined,
    };
    try {
      return (await opened.guard.requestApproval(approval, [write])) === undefined ? 'free' : 'code';
    } catch (error) {
      if (error instanceof WriteRefusedError) return 'refused';
      return error instanceof AskAtPage ? 'page' : 'chat';
    }
  }

  it('follows from the setting, from what the host can do, from how many there are and from marks', async () => {
    for (const world of worlds) expect([world, await found(world)]).toEqual([world, wanted(world)]);
    expect(new Set(worlds.map(wanted))).toEqual(new Set(YES));
  });
});

it('where one account is closed to a person, they end no list of others, and are told why; a setting of their own ends none', async () => {
  const closed = await openGuard('deny', undefined, (account) => [
    `You may not write to ${account}.`,
    'Ask.',
  ]);
  const why = expect.objectContaining({ message: 'You may not write to a.', hint: 'Ask.' });
  expect(() => closed.guard.refuseStop('a')).toThrow(why);
  expect(() => closed.guard.refuseDenied('a')).toThrow(why);
  await expect(runWrite(closed.guard, buildWrite())).rejects.toThrow('You may not write to a.');
  const own = await openGuard('deny');
  expect(() => own.guard.refuseStop('a')).not.toThrow();
  expect(() => own.guard.refuseDenied('a')).toThrow('Writes are switched off here');
  const open = await openGuard('code', undefined, () => ['no', '']);
  expect(() => open.guard.refuseStop('a')).not.toThrow();
});

it('a write that is read back leaves a fifth of its time for that', async () => {
  const opened = await openGuard('allow');
  const call = { deadline: opened.clock.now + 10_000 };
  const readBack = async () => ({ differences: [], notYet: [] });
  await opened.guard.sendApproved(buildWrite({ call, readBack }));
  await opened.guard.sendApproved(buildWrite({ call }));
  await opened.guard.sendApproved(buildWrite({ call: {}, readBack }));
  const left = opened.sent.map(({ options }) => options?.deadline);
  expect(left).toEqual([opened.clock.now + 8_000, call.deadline, undefined]);
});
