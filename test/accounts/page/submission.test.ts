/** One posted form, from its fields to the answer, without a server. */

import { describe, expect, it, vi } from 'vitest';
import type { AccountIds, MarketplaceOffer } from '../../../src/accounts/account-ids.ts';
import {
  answerSubmission,
  type PageState,
  type SubmissionSteps,
} from '../../../src/accounts/page/submission.ts';
import { CredentialError } from '../../../src/base/errors.ts';

const frame = { account: 'default', path: '/p', closesAt: '14:32' };
const good = {
  clientId: 'amzn1.application-oa2-client.canary-id',
  clientSecret: 'amzn1.oa2-cs.v1.canary-secret',
  refreshToken: 'Atzr|canary-refresh',
  region: 'eu',
};

function submit(
  fields: Record<string, string>,
  steps: Partial<SubmissionSteps> = {},
  given: { service?: string; signal?: AbortSignal; state?: PageState } = {},
) {
  const save = vi.fn(async () => {});
  const { service, signal = new AbortController().signal, state = { shown: {}, kept: {} } } = given;
  const answer = answerSubmission(fields, {
    frame: { ...frame, ...(service === undefined ? {} : { service }) },
    steps: { verify: async (values) => values, save, ...steps },
    state,
    signal,
  });
  return { answer, save };
}

it('stores what was typed', async () => {
  const { answer, save } = submit(good);
  expect(await answer).toMatchObject({ status: 200, type: 'text/html', isEnd: true });
  expect(save).toHaveBeenCalledExactlyOnceWith(good);
});

describe('the region', () => {
  it('is asked for, unless the settings fix the address', async () => {
    for (const region of ['', ' ']) {
      const { answer, save } = submit({ ...good, region });
      expect(await answer).toMatchObject({ status: 422, isEnd: false });
      expect((await answer).body).toContain('Choose the region in which the account sells');
      expect(save).not.toHaveBeenCalled();
    }
    const { region: _, ...without } = good;
    expect(await submit(without).answer).toMatchObject({ status: 422 });
    expect(await submit(without, {}, { service: 'x.example' }).answer).toMatchObject({ status: 200 });
  });
});

describe('what comes back in the form', () => {
  const bodyOf = async (fields: Record<string, string>) => (await submit({ ...good, ...fields }).answer).body;

  it('is all that is no secret', async () => {
    const body = await bodyOf({ refreshToken: '', region: 'fe' });
    for (const shown of [`value="${good.clientId}"`, 'value="fe" selected']) expect(body).toContain(shown);
    expect(body).not.toContain(good.clientSecret);
  });

  it('is nothing that was refused', async () => {
    const body = await bodyOf({ clientId: 'canary 1', sellerId: 'canary/2', marketplaceId: 'canary/3' });
    expect(body).not.toContain('canary');
  });

  it('is no secret of the same form, blanks around it or not', async () => {
    for (const field of ['clientId', 'sellerId', 'marketplaceId', 'region']) {
      for (const secret of ['clientSecret', 'refreshToken']) {
        const fields = { [secret]: 'canary-old-secret ', region: '', [field]: '\tcanary-old-secret' };
        expect(await bodyOf(fields), `${secret} in ${field}`).not.toContain('canary-old-secret');
      }
    }
  });
});

describe('a failure', () => {
  const failing = (error: unknown) => submit(good, { verify: () => Promise.reject(error) });

  it('is told in its own words without the secrets, in message and hint', async () => {
    const { clientSecret, refreshToken } = good;
    const words = `${clientSecret}, ${refreshToken} and ${clientSecret}`;
    const { answer, save } = failing(new CredentialError('refused', `Not ${words}`, `Try ${words}`));
    expect(await answer).toMatchObject({ status: 502, type: 'text/html', isEnd: false });
    expect((await answer).body).toContain('<p>Not [hidden], [hidden] and [hidden]</p>');
    expect((await answer).body).toContain('<p>Try [hidden], [hidden] and [hidden]</p>');
    expect(save).not.toHaveBeenCalled();
  });

  it('that is a defect is told without its words', async () => {
    const inner = 'inner words';
    const body = (await failing(new Error(inner)).answer).body;
    expect(body).toContain('Something unexpected went wrong');
    expect(body).toContain('seller-commerce-mcp login');
    expect(body).not.toContain(inner);
  });

  it('is also that the page was closed while the values were tried: nothing is stored', async () => {
    const stop = new AbortController();
    const verify = async <T>(values: T) => {
      stop.abort();
      return values;
    };
    const { answer, save } = submit(good, { verify }, { signal: stop.signal });
    expect(await answer).toMatchObject({ isEnd: false });
    expect(save).not.toHaveBeenCalled();
  });
});

describe('a secret that was typed', () => {
  const state = (): PageState => ({ shown: {}, kept: {} });
  const { clientSecret, refreshToken } = good;
  /** One attempt after the other on the same page. */
  const attempt = async (
    on: PageState,
    fields: Record<string, string>,
    steps: Partial<SubmissionSteps> = {},
  ) => {
    const { answer, save } = submit({ ...good, ...fields }, steps, { state: on });
    return { ...(await answer), save };
  };

  it('is kept when another field is wrong, and not sent back', async () => {
    const on = state();
    const first = await attempt(on, { refreshToken: 'has a space' });
    expect(first.status).toBe(422);
    expect(first.body).not.toContain(clientSecret);
    expect(on.kept).toEqual({ clientSecret });
    const values = good;
    const { isEnd, save } = await attempt(on, { clientSecret: ' ' });
    expect(isEnd).toBe(true);
    expect(save).toHaveBeenCalledExactlyOnceWith(values);
    expect(on.kept).toEqual({});
  });

  it('is kept when the identity provider refuses, and gives way to what is typed then', async () => {
    const on = state();
    const refused = () => Promise.reject(new CredentialError('refused', 'The refresh token was refused.'));
    expect((await attempt(on, {}, { verify: refused })).status).toBe(502);
    expect(on.kept).toEqual({ clientSecret, refreshToken });
    const { save } = await attempt(on, { clientSecret: '', refreshToken: 'Atzr|right' });
    expect(save).toHaveBeenCalledWith(expect.objectContaining({ clientSecret, refreshToken: 'Atzr|right' }));
  });

  it('is kept as it was rotated when only storing it fails', async () => {
    const on = state();
    const verify = async <T>(values: T) => ({ ...values, refreshToken: 'Atzr|rotated' });
    const save = () =>
      Promise.reject(new CredentialError('unreachable', 'The keychain is locked: Atzr|rotated'));
    const failed = await attempt(on, {}, { verify, save });
    expect(failed.body).not.toContain('Atzr|rotated');
    expect(on.kept).toEqual({ clientSecret, refreshToken: 'Atzr|rotated' });
  });

  it('is not kept where it was refused, or stands in another field too', async () => {
    const on = state();
    await attempt(on, { clientSecret: good.clientId, region: '' });
    expect(on.kept).toEqual({ refreshToken });
    await attempt(on, { clientSecret: 'plain', clientId: 'plain', region: '' });
    expect(on.kept).toEqual({ refreshToken });
    await attempt(on, { clientSecret: 'bad secret', refreshToken: 'Atza|access' });
    expect(on.kept).toEqual({});
  });

  it('is hidden in other fields also when it was kept from before', async () => {
    const on = state();
    await attempt(on, { clientSecret: 'canary-old-secret', region: '' });
    const { body } = await attempt(on, { clientSecret: '', clientId: 'canary-old-secret', region: '' });
    expect(body).not.toContain('canary-old-secret');
  });
});

describe('the second form', () => {
  const own = { marketplaces: [{ id: 'A1PA6795UKMFR9', country: 'Germany' }], isOwn: true };
  async function open(given: AccountIds = {}, offer: MarketplaceOffer = own) {
    const state: PageState = { shown: {}, kept: {} };
    const save = vi.fn(async (_ids: AccountIds) => {});
    const steps = { ids: { given, offer: async () => offer, save } };
    const first = await submit(good, steps, { state }).answer;
    const send = (fields: Record<string, string>) =>
      submit({ step: 'ids', ...fields }, steps, { state }).answer;
    return { first, send, save, state };
  }

  it('comes when the credentials are stored, with the first marketplace of the account chosen', async () => {
    const { first, state } = await open();
    expect(first).toMatchObject({ status: 200, isEnd: false });
    expect(first.body).toContain('<option value="A1PA6795UKMFR9" selected>Germany');
    expect(state.stored).toBeDefined();
    expect(first.body).not.toContain(good.clientSecret);
  });

  it('chooses what the settings say, and nothing where the marketplaces are not the account’s own', async () => {
    expect((await open({ marketplaceId: 'OTHER', sellerId: 'S1' })).first.body).toContain('value="S1"');
    expect((await open({}, { ...own, isOwn: false })).first.body).not.toContain(' selected>');
  });

  it('stores what was chosen', async () => {
    const { send, save } = await open();
    const ids = { marketplaceId: 'A1PA6795UKMFR9', sellerId: 'A2SELLER' };
    expect(await send(ids)).toMatchObject({ status: 200, isEnd: true });
    expect(save).toHaveBeenCalledExactlyOnceWith(ids);
  });

  it('is finished without a seller ID only on purpose, and says what goes missing', async () => {
    const { send, save } = await open();
    const refused = await send({ marketplaceId: '', sellerId: ' ' });
    expect(refused).toMatchObject({ status: 422, isEnd: false });
    expect(refused.body).toContain('Enter it, or choose &quot;Finish without a seller ID&quot;');
    const { body, isEnd } = await send({ marketplaceId: '', sellerId: 'half typed', withoutSellerId: 'yes' });
    expect(isEnd).toBe(true);
    expect(body).toContain('No seller ID is stored. Without the seller ID,');
    expect(body).toContain('No marketplace is stored. Without a marketplace,');
    expect(save).toHaveBeenCalledExactlyOnceWith({});
  });

  it.each([
    ['a marketplace', 'A1F83G8C2ARO7P', 'This is the ID of a marketplace (United Kingdom)'],
    ['a secret', good.clientSecret, 'one of the secrets'],
    ['a refresh token', good.refreshToken, 'The seller ID has 1 to 64'],
  ])('refuses %s as the seller ID', async (_what, sellerId, told) => {
    const { send, save } = await open();
    const { status, body } = await send({ sellerId });
    expect(status).toBe(422);
    expect(body).toContain(told);
    expect(body).not.toContain('canary');
    expect(save).not.toHaveBeenCalled();
  });

  it('tells a failure, and keeps what was chosen', async () => {
    const { send, save } = await open();
    save.mockRejectedValueOnce(new CredentialError('unreachable', 'The keychain is locked.'));
    const failed = await send({ sellerId: 'A2SELLER', marketplaceId: '' });
    expect(failed).toMatchObject({ status: 502, isEnd: false });
    expect(failed.body).toContain('Your credentials are stored; this is not');
    expect(failed.body).toContain('value="A2SELLER"');
  });

  it('takes no credentials any more', async () => {
    const { state, send } = await open();
    const { answer, save } = submit({ ...good, refreshToken: 'Atzr|other' }, {}, { state });
    expect(await answer).toMatchObject({ status: 409, isEnd: false });
    expect((await answer).body).toContain('One more step');
    expect(save).not.toHaveBeenCalled();
    expect(await send({ clientSecret: 'x', sellerId: 'A2' })).toMatchObject({ status: 422 });
  });
});
