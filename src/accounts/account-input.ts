/**
 * Validates the account values that a user types, for the page and for `login`; no message contains a value.
 */

import * as z from 'zod';
import type { Problem } from '../base/errors.ts';
import { findMarketplace, problemUnquoted } from '../service/facts/find-marketplace.ts';
import { marketplaceById } from '../service/facts/marketplaces.ts';
import { REGIONS } from '../service/facts/regions.ts';
import { MAX_VALUE_LENGTH } from './given-accounts.ts';

/** A prefix that identifies, at the public service, which value was pasted into the wrong field. */
type WrongPrefix = readonly [prefix: string, problem: string];

/**
 * Builds a field schema that detects swapped fields, the most common mistake, even when other fields are
 * invalid too.
 */
function value(label: string, ...wrongKinds: readonly WrongPrefix[]) {
  return z
    .string({ error: `${label} is missing` })
    .trim()
    .min(1, `${label} is missing`)
    .max(MAX_VALUE_LENGTH, `${label} is longer than ${MAX_VALUE_LENGTH} characters, so it cannot be right`)
    .regex(
      /^[\x21-\x7e]*$/,
      `${label} holds a space, a line break or an unusual character; copy it once more`,
    )
    .superRefine((text, ctx) => {
      const wrong = wrongKinds.find(([prefix]) => text.startsWith(prefix));
      if (wrong !== undefined) ctx.addIssue({ code: 'custom', message: wrong[1] });
    });
}

/** Treats an empty field as a missing value. */
function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (given) => (typeof given === 'string' && given.trim() === '' ? undefined : given),
    schema.optional(),
  );
}

const IDENTIFIER = /^[A-Za-z0-9._-]{1,64}$/;

const sellerId = z
  .string()
  .trim()
  .regex(
    IDENTIFIER,
    'The seller ID has 1 to 64 letters and digits; Seller Central calls it Merchant Token and shows it under Account Info',
  )
  .superRefine((text, ctx) => {
    const known = marketplaceById(text);
    if (known === undefined) return;
    const message = `This is the ID of a marketplace (${known.name}), not the seller ID`;
    ctx.addIssue({ code: 'custom', message });
  });

/** A country is accepted too; the stored value is the marketplace ID. */
const marketplace = z.string().transform((given, ctx) => {
  const found = findMarketplace(given);
  if (found.kind === 'known') return found.marketplace.id;
  const wrong = found.kind === 'refused' || !IDENTIFIER.test(given.trim());
  if (!wrong) return given.trim();
  ctx.addIssue({ code: 'custom', message: `This ${problemUnquoted(found)}` });
  return z.NEVER;
});

export const accountInputSchema = z
  .strictObject({
    clientId: value(
      'The client ID',
      ['amzn1.oa2-cs.', 'This is the client secret, not the client ID'],
      ['Atzr|', 'This is the refresh token, not the client ID'],
      [
        'amzn1.sp.solution.',
        'This is the ID of the application; the client ID begins with amzn1.application-oa2-client. and stands beside it, under LWA credentials',
      ],
    ),
    clientSecret: value(
      'The client secret',
      ['amzn1.application-oa2-client.', 'This is the client ID, not the client secret'],
      ['Atzr|', 'This is the refresh token, not the client secret'],
    ),
    refreshToken: value(
      'The refresh token',
      ['Atza|', 'This is an access token, which lasts an hour; the refresh token begins with Atzr|'],
      ['amzn1.', 'This is the client ID or the client secret, not the refresh token'],
    ),
    region: optional(
      z.enum(REGIONS, {
        error: 'The region is na (North America), eu (Europe) or fe (Far East)',
      }),
    ),
    sellerId: optional(sellerId),
    marketplaceId: optional(marketplace),
  })
  .superRefine(({ clientId, clientSecret, refreshToken }, ctx) => {
    if (clientId !== clientSecret && clientId !== refreshToken) return;
    ctx.addIssue({ code: 'custom', path: ['clientId'], message: 'The same value stands in two fields' });
  });

/** The values of one account as a user gives them; the addresses come from the settings. */
export type AccountInput = z.infer<typeof accountInputSchema>;

/** The result of validation: the trimmed values, or the problem of each wrong field. */
export type CheckedInput = { ok: true; value: AccountInput } | { ok: false; problems: readonly Problem[] };

/** Validates and trims the typed values; returns the first problem of each field, in field order. */
export function parseAccountInput(given: unknown): CheckedInput {
  const result = accountInputSchema.safeParse(given);
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, problems: problemsOf(result.error) };
}

/** Returns one problem per field, in field order. `more` follows the problems that the schema found. */
export function problemsOf(error: z.ZodError | undefined, more: readonly Problem[] = []): Problem[] {
  const found = (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }));
  const problems = new Map<string, Problem>();
  for (const problem of [...found, ...more]) {
    if (!problems.has(problem.path)) problems.set(problem.path, problem);
  }
  return [...problems.values()];
}
