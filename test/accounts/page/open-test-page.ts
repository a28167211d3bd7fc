/** A credentials page open for one test. */

import type { AccountInput } from '../../../src/accounts/account-input.ts';
import {
  type CredentialsPage,
  type CredentialsPageOptions,
  createAccountPages,
} from '../../../src/accounts/page/open-page.ts';
import { formHeaders, type Reply, type ServedTestPage, send, servedAt } from '../../helpers/served-page.ts';

export const good = {
  clientId: 'amzn1.application-oa2-client.canary-id',
  clientSecret: 'amzn1.oa2-cs.v1.canary-secret-7f3a',
  refreshToken: 'Atzr|canary-refresh-91bd',
  region: 'eu',
};

export type TestPage = CredentialsPage & ServedTestPage & { saved: AccountInput[]; stop: AbortController };

/** `pages`: where pages of one account replace each other; by default each page stands alone. */
export async function openTestPage(
  options: Partial<CredentialsPageOptions> = {},
  pages = createAccountPages(),
): Promise<TestPage> {
  const saved: AccountInput[] = [];
  const stop = new AbortController();
  const page = await pages({
    account: 'default',
    signal: stop.signal,
    verify: async (values) => values,
    save: async (values) => void saved.push(values),
    ...options,
  });
  return Object.assign(page, { saved, stop, ...servedAt(page.url) });
}

/** Posts the fields exactly as a browser's form would. */
export async function post(
  page: TestPage,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const body = new URLSearchParams(fields).toString();
  return send(page, { method: 'POST', headers: { ...formHeaders(page), ...headers }, body });
}
