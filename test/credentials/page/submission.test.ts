/** One posted form, from its fields to the answer, without a server. */

import { describe, expect, it, vi } from 'vitest';
import { answerSubmission, type SubmissionSteps } from '../../../src/credentials/page/submission.ts';
import { CredentialError } from '../../../src/errors.ts';

const frame = { account: 'default', path: '/p', csrfToken: 'csrf', closesAt: '14:32', verifies: false };
const good = {
  csrfToken: 'csrf',
  clientId: 'amzn1.application-oa2-client.canary-id',
  clientSecret: 'amzn1.oa2-cs.v1.canary-secret',
  refreshToken: 'Atzr|canary-refresh',
  region: 'eu',
};

function submit(
  fields: Record<string, string>,
  steps: Partial<SubmissionSteps> = {},
  given: { service?: string; signal?: AbortSignal } = {},
) {
  const save = vi.fn(async () => {});
  const { service, signal = new AbortController().signal } = given;
  const answer = answerSubmission(fields, { ...frame, service }, { save, ...steps }, signal);
  return { answer, save };
}

it('stores what was typed, without the form’s own token', async () => {
  const { answer, save } = submit(good);
  const { csrfToken: _, ...values } = good;
  expect(await answer).toMatchObject({ status: 200, type: 'text/html', saved: true });
  expect(save).toHaveBeenCalledExactlyOnceWith(values);
});

it.each([[''], ['other'], ['csr']])('turns away a form with another token: %j', async (csrfToken) => {
  const { answer, save } = submit({ ...good, csrfToken });
  expect(await answer).toMatchObject({ status: 403, type: 'text/plain', saved: false });
  const { csrfToken: _, ...without } = good;
  expect(await submit(without).answer).toMatchObject({ status: 403 });
  expect(save).not.toHaveBeenCalled();
});

describe('the region', () => {
  it('is asked for, unless the settings fix the address', async () => {
    for (const region of ['', ' ']) {
      const { answer, save } = submit({ ...good, region });
      expect(await answer).toMatchObject({ status: 422, saved: false });
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
    const body = await bodyOf({
      refreshToken: '',
      sellerId: 'SELLER',
      marketplaceId: 'MARKET',
      region: 'fe',
    });
    for (const shown of [
      `value="${good.clientId}"`,
      'value="SELLER"',
      'value="MARKET"',
      'value="fe" selected',
    ])
      expect(body).toContain(shown);
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
    expect(await answer).toMatchObject({ status: 502, type: 'text/html', saved: false });
    expect((await answer).body).toContain('<p>Not [hidden], [hidden] and [hidden]</p>');
    expect((await answer).body).toContain('<p>Try [hidden], [hidden] and [hidden]</p>');
    expect(save).not.toHaveBeenCalled();
  });

  it('that is a defect is told without its words', async () => {
    const body = (await failing(new Error('inner words')).answer).body;
    expect(body).toContain('Something unexpected went wrong');
    expect(body).toContain('seller-commerce-mcp login');
    expect(body).not.toContain('inner words');
  });

  it('is also that the page was closed while the values were tried: nothing is stored', async () => {
    const stop = new AbortController();
    const verify = async <T>(values: T) => {
      stop.abort();
      return values;
    };
    const { answer, save } = submit(good, { verify }, { signal: stop.signal });
    expect(await answer).toMatchObject({ saved: false });
    expect(save).not.toHaveBeenCalled();
  });
});
