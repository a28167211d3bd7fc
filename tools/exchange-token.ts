/** exchange_token: section 4.1, with both tokens masked in the answer. */

import * as z from 'zod';
import { accountArgument } from '../src/mcp/arguments.ts';
import { defineTool } from '../src/mcp/define-tool.ts';

export const exchangeToken = defineTool({
  name: 'exchange_token',
  title: 'Exchange the refresh token',
  description:
    'Gets a new access token now. Rarely needed: every other tool gets its own. Use it to check that credentials work. Leave the credential arguments out: they are taken from the keychain or environment; never ask the person for them in the chat. Returns type, lifetime and masked tokens.',
  effect: 'write',
  destructive: false,
  idempotent: true,
  input: z.strictObject({
    grant_type: z.literal('refresh_token').default('refresh_token'),
    refresh_token: z.string().min(1).optional(),
    client_id: z.string().min(1).optional(),
    client_secret: z.string().min(1).optional(),
    account: accountArgument,
  }),
  output: z.looseObject({
    account: z.string(),
    access_token: z.string().describe('Masked'),
    refresh_token: z.string().describe('Masked'),
    token_type: z.string(),
    expires_in: z.number().describe('Seconds'),
    expires_at: z.string(),
    refresh_token_rotated: z.boolean(),
  }),
  async run({ refresh_token, client_id, client_secret, account }, { session, call }) {
    const { maskToken } = await import('../src/redact/redact.ts');
    const name = session.accountOf(account);
    const accounts = await session.accounts();
    const given = { refreshToken: refresh_token, clientId: client_id, clientSecret: client_secret };
    const isGiven = Object.values(given).some((value) => value !== undefined);
    const takeBack = isGiven ? await accounts.override(name, given) : () => {};
    const client = await session.client();
    const exchange = await client.exchangeToken(name, call).catch((error: unknown) => {
      // Arguments that do not work must not shadow credentials that do.
      takeBack();
      throw error;
    });
    const structured = {
      account: name,
      access_token: maskToken(exchange.accessToken),
      refresh_token: maskToken(exchange.refreshToken),
      token_type: exchange.tokenType,
      expires_in: exchange.expiresInSeconds,
      expires_at: new Date(exchange.expiresAt).toISOString(),
      refresh_token_rotated: exchange.rotated,
    };
    const rotation = exchange.rotated
      ? 'It came with a new refresh token, which has been kept.'
      : 'The refresh token stays the same.';
    const text = `Account ${name} has a new access token (${structured.token_type}) that lasts ${structured.expires_in} s, until ${structured.expires_at}. ${rotation} It serves the calls that follow.`;
    return { text, structured };
  },
});
