/** A client that sends nothing: each call is noted and answered in place, as the account's owner would be. */

import type { AccountProfile } from '../../src/accounts/account.ts';
import type { CallInput, CallOptions, Client } from '../../src/call/client-types.ts';

const never = () => {
  throw new Error('not in this test');
};

/** @param answer the body, or the error that the call ends with */
export function fakeClient(
  owner: AccountProfile,
  answer: (input: CallInput, options: CallOptions | undefined) => unknown,
): { client: Client; calls: CallInput[] } {
  const calls: CallInput[] = [];
  const client: Client = {
    async call(input, options) {
      calls.push(input);
      const body = answer(input, options);
      if (body instanceof Error) throw body;
      return { status: 200, headers: {}, body, bytes: 1, filledIn: {}, owner };
    },
    prepare: async ({ operation: { method, path }, parameters }) => ({
      owner,
      method,
      url: `${owner.baseUrl}${path}`,
      headers: {},
      parameters,
      filledIn: {},
      marketplaces: [],
    }),
    exchangeToken: never,
    rememberRestrictedToken: never,
    close: async () => undefined,
  };
  return { client, calls };
}
