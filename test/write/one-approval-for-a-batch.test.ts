/** One yes for a whole list: what it takes by mode, and what may be sent under it. */

import { describe, expect, it } from 'vitest';
import { identityOf } from '../../src/accounts/owner.ts';
import { WriteRefusedError } from '../../src/base/errors.ts';
import { HOST_ANSWERS_WITHIN_MS } from '../../src/render/client-user.ts';
import type { Operation } from '../../src/service/facts/operation.ts';
import type { ApprovalRequest } from '../../src/write/write-guard.ts';
import { buildWrite, nobody, OWNER, openGuard } from './run/open-guard.ts';

const approval = (list: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  content: {
    account: 'a',
    operation: 'change_listings',
    parameters: { items: 2, list },
    body: undefined,
    identity: identityOf(OWNER),
    stateDigest: 'as it was',
  },
  preview: 'two of them',
  person: nobody,
  whenDenied: 'Ask the person.',
  ...more,
});
const items = [buildWrite(), buildWrite()];
const report = (): Operation => ({
  ...buildWrite().input.operation,
  id: 'reports/createReport',
  effect: 'request',
});

describe('agreeing to a list', () => {
  it('takes a code for exactly this list, once, and begins nothing by itself', async () => {
    const { guard, sent } = await openGuard('code');
    const code = await guard.requestApproval(approval('one'), items);
    expect(code).toMatch(/^\w{4}(-\w{4}){5}$/);
    const given = { confirmationCode: code ?? '' };
    await expect(guard.requestApproval(approval('other', given), items)).rejects.toThrow(
      'belongs to another content',
    );
    expect(await guard.requestApproval(approval('one', given), items)).toBeUndefined();
    await expect(guard.requestApproval(approval('one', given), items)).rejects.toThrow('was used already');
    expect(sent).toEqual([]);
  });

  it('is refused where the state has changed since', async () => {
    const { guard } = await openGuard('code');
    const code = await guard.requestApproval(approval('one'), items);
    const later = approval('one', { confirmationCode: code ?? '' });
    const changed = { ...later, content: { ...later.content, stateDigest: 'as it is' } };
    await expect(guard.requestApproval(changed, items)).rejects.toThrow('has changed since the preview');
  });

  it('asks the person once, who says no for all; the journal keeps that', async () => {
    const { guard, entries, clock } = await openGuard('ask');
    let state: string | undefined;
    const person: ApprovalRequest['person'] = {
      canConfirm: true,
      answer: () => (state === undefined ? undefined : { action: 'decline', state }),
      confirm(_key, _message, issued) {
        state = issued;
        throw new Error('asked');
      },
    };
    await expect(guard.requestApproval(approval('one', { person }), items)).rejects.toThrow('asked');
    clock.now += HOST_ANSWERS_WITHIN_MS;
    await expect(guard.requestApproval(approval('one', { person }), items)).rejects.toThrow(
      'The person said no; nothing was sent.',
    );
    expect(await entries()).toMatchObject([{ operation: 'change_listings', outcome: 'refused' }]);
  });

  it('is needed for none of them where all only request something', async () => {
    const { guard } = await openGuard('deny');
    const input = { ...buildWrite().input, operation: report() };
    expect(await guard.requestApproval(approval('one'), [buildWrite({ input })])).toBeUndefined();
    await expect(
      guard.requestApproval(approval('one'), [buildWrite({ input }), buildWrite()]),
    ).rejects.toThrow('switched off');
  });

  it('with marks takes a person: a code would be confirmed by whoever does not see them', async () => {
    const { guard } = await openGuard('code');
    const marked = { parameters: { items: 2 } };
    await expect(guard.requestApproval(approval('one', { marked }), items)).rejects.toThrow(
      'Marks of personal data stand in this write',
    );
  });
});

describe('sending what was agreed to', () => {
  it('asks no more, and records each', async () => {
    const { guard, sent, entries } = await openGuard('code');
    const began: (string | undefined)[] = [];
    const write = buildWrite({ onRecorded: async (id) => void began.push(id) });
    expect(await guard.sendApproved(write)).toMatchObject({ outcome: 'done', journalId: 'w-1' });
    expect(sent).toHaveLength(1);
    expect(began).toEqual(['w-1']);
    expect(await entries()).toMatchObject([{ id: 'w-1', outcome: 'done' }]);
  });

  it('of a request is no write: it goes out in any mode, and the journal does not hold it', async () => {
    const { guard, sent, entries } = await openGuard('deny');
    const input = { ...buildWrite().input, operation: report() };
    const asked = await guard.sendApproved(buildWrite({ input }));
    expect(asked).toMatchObject({ outcome: 'requested', verdict: { outcome: 'accepted' } });
    expect([sent.length, await entries()]).toEqual([1, []]);
  });

  it('sends nothing once writes are switched off', async () => {
    const { guard, sent } = await openGuard('deny');
    await expect(guard.sendApproved(buildWrite())).rejects.toBeInstanceOf(WriteRefusedError);
    expect(sent).toEqual([]);
  });

  it('sends nothing where it cannot be noted that it is about to be sent', async () => {
    const { guard, sent, entries } = await openGuard('allow');
    const onRecorded = async () => {
      throw new WriteRefusedError('the disk is full');
    };
    await expect(guard.sendApproved(buildWrite({ onRecorded }))).rejects.toThrow('the disk is full');
    expect(sent).toEqual([]);
    expect(await entries()).toMatchObject([{ outcome: 'refused' }]);
  });

  it('what became of one that was cut off replaces that it is not known', async () => {
    const { guard, entries } = await openGuard('allow', async () => {
      throw new Error('cut');
    });
    await guard.sendApproved(buildWrite()).catch(() => undefined);
    expect(await entries()).toMatchObject([{ outcome: 'unknown' }]);
    await guard.settle('w-1', { outcome: 'done' });
    expect(await entries()).toMatchObject([{ outcome: 'done' }]);
  });
});
