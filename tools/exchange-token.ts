/** exchange_token: section 4.1, with both tokens masked in the answer; given credentials are confirmed first. */

import * as z from 'zod';
import { identityOf } from '../src/accounts/owner.ts';
import { InputError } from '../src/base/errors.ts';
import { howToLogin } from '../src/base/invocation.ts';
import { escapeText, quoteText } from '../src/base/text/escape-text.ts';
import { localTimeWithZone } from '../src/base/text/local-time.ts';
import type { TokenExchange } from '../src/call/client-types.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import { accountArgument, confirmationCodeArgument } from '../src/render/arguments/arguments.ts';
import { formatNextStep } from '../src/write/model/outcome.ts';
import type { ToolContext } from '../src/write/session.ts';

/** The part of `Accounts.prepareGiven` that the tool needs for credentials given as arguments. */
type Given = Awaited<ReturnType<Awaited<ReturnType<ToolContext['session']['accounts']>>['prepareGiven']>>;

const output = z.looseObject({
  outcome: z.enum(['needs_confirmation', 'done']),
  account: z.string().describe('A new one where credentials were given'),
  client_id: z.string().optional(),
  confirmation_code: z.string().optional(),
  access_token: z.string().optional().describe('Masked'),
  refresh_token: z.string().optional().describe('Masked'),
  token_type: z.string().optional(),
  expires_in: z.number().optional().describe('Seconds'),
  expires_at: z.string().optional(),
  refresh_token_rotated: z.boolean().optional(),
  journal_id: z.string().optional(),
});

export const exchangeToken = defineTool({
  name: 'exchange_token',
  title: 'Exchange the refresh token',
  description:
    'Gets a new access token now, to check that credentials work. Rarely needed: every other tool gets its own. Leave refresh_token, client_id and client_secret out: they are taken from the keychain or the environment; never ask the person for them in the chat. If they are given, all three together, they are confirmed first and become an account of their own until the program ends. Returns the type, the lifetime and masked tokens.',
  effect: 'write',
  destructive: false,
  idempotent: true,
  input: z.strictObject({
    grant_type: z.literal('refresh_token').default('refresh_token'),
    refresh_token: z.string().min(1).optional(),
    client_id: z.string().min(1).optional(),
    client_secret: z.string().min(1).optional(),
    account: accountArgument,
    confirmationCode: confirmationCodeArgument,
  }),
  output,
  async run({ refresh_token, client_id, client_secret, account, confirmationCode }, ctx) {
    const { session, call } = ctx;
    const name = session.accountOf(account);
    const values = { refreshToken: refresh_token, clientId: client_id, clientSecret: client_secret };
    if (Object.values(values).some((value) => value !== undefined)) {
      if (session.principal.isElsewhere) throw notTakenHere();
      const given = await (await session.accounts()).prepareGiven(values, name);
      return exchangeGiven(given, confirmationCode, ctx);
    }
    if (session.principal.isElsewhere && session.principal.writesOf?.(name) === 'deny')
      throw notForReaders(name);
    const exchange = await (await session.client()).exchangeToken(name, call);
    const { text, structured } = await describeExchange(name, exchange);
    return { text: `${text} It serves the calls that follow.`, structured };
  },
});

/** An exchange may put another refresh token in the place of everybody's. */
function notForReaders(account: string): InputError {
  return new InputError(
    `You may read account ${account} here, and not exchange its token; nothing was sent.`,
    'Every other tool gets its own token.',
  );
}

function notTakenHere(): InputError {
  return new InputError(
    'This server takes no credentials as arguments; nothing was sent.',
    `Leave them out. For an account of theirs, the person can ${howToLogin()}.`,
  );
}

/** Never in place of an account that exists: what the person is asked about is a new one. */
async function exchangeGiven(
  given: Given,
  confirmationCode: string | undefined,
  { session, person, call }: ToolContext,
) {
  const { profile, digest, hold } = given;
  const { name, login } = profile;
  const preview = describeGiven(given);
  const approval = {
    content: {
      account: name,
      operation: 'Authentication/exchangeToken',
      parameters: { client_id: login?.clientId },
      identity: identityOf(profile),
      stateDigest: digest,
    },
    preview,
    person,
    confirmationCode,
    whenDenied: `The person can change that: the read-only switch (SELLER_READ_ONLY), or --writes (SELLER_WRITES). To store the account themselves, they ${howToLogin()}.`,
  };
  const client = await session.client();
  const done = await (await session.writeGuard()).runApproved(approval, async () => {
    const takeBack = await hold();
    return client.exchangeToken(name, call).catch((error: unknown) => {
      // Values that do not work leave no account behind, unless another call is using them.
      takeBack();
      throw error;
    });
  });
  const facts = { account: name, client_id: login?.clientId };
  if (done.outcome === 'needs_confirmation') {
    const next = formatNextStep(done.code);
    const structured = {
      ...facts,
      outcome: done.outcome,
      confirmation_code: done.code,
      next_step: next.data,
      ...givenFacts(given),
    };
    return { text: `${preview}\n\n${next.line}`, structured };
  }
  const { text, structured } = await describeExchange(name, done.result);
  const next = `It is used only where a call says account: "${name}", until this program ends; no other account has changed. Journal entry ${done.journalId}.`;
  const problem = done.journalProblem === undefined ? '' : ` ${done.journalProblem}`;
  return {
    text: `${text} ${next}${problem}`,
    structured: {
      ...structured,
      ...facts,
      journal_id: done.journalId,
      next_step: next,
      ...(done.journalProblem === undefined ? {} : { journal_problem: done.journalProblem }),
    },
  };
}

/** The same as the preview says, but for the name and the client id. */
function givenFacts({ profile: { baseUrl, authUrl } }: Given) {
  return {
    seller: `${NOT_VERIFIED} ${NOBODY_CHECKED}`,
    sent_to: escapeText(authUrl),
    calls_go_to: escapeText(baseUrl),
    lasts: UNTIL_THE_END,
  };
}

const NOT_VERIFIED = 'NOT VERIFIED.';
const NOBODY_CHECKED = 'Nobody has checked whose account these credentials open.';
const UNTIL_THE_END = 'until this program ends; no existing account is changed';

/** Describes the exchange for the approval request, without any secret. */
function describeGiven({ profile }: Given): string {
  const { name, login, baseUrl, authUrl } = profile;
  return [
    'Use credentials that the assistant was given, as a new account',
    `New account: ${name}, ${UNTIL_THE_END}`,
    `Client id: ${quoteText(login?.clientId ?? '')}`,
    `Seller: ${NOT_VERIFIED} ${NOBODY_CHECKED}`,
    `They are sent to: ${quoteText(authUrl)}`,
    `Calls with this account go to: ${quoteText(baseUrl)}`,
  ].join('\n');
}

async function describeExchange(name: string, exchange: TokenExchange) {
  const { maskToken } = await import('../src/privacy/secrets/redact.ts');
  const structured = {
    outcome: 'done' as const,
    account: name,
    access_token: maskToken(exchange.accessToken),
    refresh_token: maskToken(exchange.refreshToken),
    token_type: exchange.tokenType.data(),
    expires_in: exchange.expiresInSeconds,
    expires_at: new Date(exchange.expiresAt).toISOString(),
    refresh_token_rotated: exchange.rotated,
  };
  const rotation = exchange.rotated
    ? 'It came with a new refresh token, which has been kept.'
    : 'The refresh token stays the same.';
  const text = `Account ${name} has a new access token (${exchange.tokenType.shown()}) that lasts ${structured.expires_in} s, until ${localTimeWithZone(exchange.expiresAt)}. ${rotation}`;
  return { text, structured };
}
