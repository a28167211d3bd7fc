import { describe, expect, it } from 'vitest';
import { CredentialError } from '../../src/base/errors.ts';
import { openSession } from '../../src/program/runtime/open-session.ts';
import { createProgram } from '../../src/program/runtime/program.ts';
import { withCredentialsPage } from '../../src/protocol/credentials-page.ts';
import type { ClientUser } from '../../src/render/client-user.ts';
import type { CredentialsPages } from '../../src/render/reading-session.ts';
import type { ToolContext } from '../../src/write/session.ts';
import { createTestOutside } from '../helpers/outside.ts';
import { nobody } from '../helpers/tool-runner.ts';

const answer = { text: 'done', structured: {} };
const missing = () => {
  const error = new CredentialError('missing', 'Account shop has no credentials.', 'Run login.');
  error.account = 'shop';
  return Promise.reject(error);
};

function context(person: Partial<ClientUser>, pages: Partial<CredentialsPages>) {
  const events: string[] = [];
  const canOpen: ClientUser = {
    ...nobody,
    canOpenPage: true,
    openPage(key, message, url, state) {
      events.push(`${key}: ${message.slice(0, 32)} ${url} ${state}`);
      throw new Error('asked');
    },
    ...person,
  };
  const credentialsPages = async (): Promise<CredentialsPages> => ({
    offer: async (account) => {
      events.push(`offered for ${account}`);
      return { id: '/one-time', url: 'http://127.0.0.1:1/one-time' };
    },
    awaitPage: async ({ action, state }) => void events.push(`waited: ${action} ${state}`),
    ...pages,
  });
  const ctx: ToolContext = {
    session: { ...openSession(createProgram(createTestOutside())), credentialsPages },
    call: {
      signal: new AbortController().signal,
      deadline: performance.now() + 10_000,
      onProgress: () => undefined,
    },
    tell: () => undefined,
    person: canOpen,
  };
  return { ctx, events };
}

describe('withCredentialsPage', () => {
  it('offers a page for the account that misses credentials', async () => {
    const { ctx, events } = context({}, {});
    await expect(withCredentialsPage(ctx, missing)).rejects.toThrow('asked');
    expect(events).toEqual([
      'offered for shop',
      'credentials: Account shop has no credentials. http://127.0.0.1:1/one-time /one-time',
    ]);
  });

  it('waits for the page before the tool runs again', async () => {
    const { ctx, events } = context({ answer: () => ({ action: 'accept', state: '/one-time' }) }, {});
    const run = async () => {
      events.push('run');
      return answer;
    };
    expect(await withCredentialsPage(ctx, run)).toBe(answer);
    expect(events).toEqual(['waited: accept /one-time', 'run']);
  });

  it('asks once: what is still missing then is an error', async () => {
    const { ctx, events } = context({ answer: () => ({ action: 'accept', state: undefined }) }, {});
    await expect(withCredentialsPage(ctx, missing)).rejects.toMatchObject({ hint: 'Run login.' });
    expect(events).toEqual(['waited: accept undefined']);
  });

  it.each([
    ['the client cannot open one', { canOpenPage: false }, {}],
    ['the keychain cannot be used', {}, { offer: async () => undefined }],
  ])('offers none where %s', async (_case, person, pages) => {
    const { ctx } = context(person, pages);
    await expect(withCredentialsPage(ctx, missing)).rejects.toMatchObject({ name: 'CredentialError' });
  });

  it('never guesses whose credentials are missing', async () => {
    const { ctx, events } = context({}, {});
    const error = new CredentialError('missing', 'Something is missing.');
    await expect(withCredentialsPage(ctx, () => Promise.reject(error))).rejects.toBe(error);
    expect(events).toEqual([]);
  });

  it.each([
    new CredentialError('refused', 'no'),
    new CredentialError('unreachable', 'no'),
    new TypeError('x'),
  ])('leaves %o alone', async (error) => {
    const { ctx, events } = context({}, {});
    await expect(withCredentialsPage(ctx, () => Promise.reject(error))).rejects.toBe(error);
    expect(events).toEqual([]);
  });
});
