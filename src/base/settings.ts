/**
 * Settings as data: one schema, from which the configuration, --help and the documents are built. Their
 * descriptions are in `setting-descriptions.ts`.
 */

import * as z from 'zod';
import { isLoopback } from './loopback.ts';
import { hasPassword, readStoreAddress } from './store-address.ts';

const exactAddress = z.string().transform((value, ctx) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return issue(ctx, 'must be an address, for example https://service.example');
  if (url.username !== '' || url.password !== '') return issue(ctx, 'must not hold a user name or password');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return value;
  return issue(ctx, 'must start with https:// (http:// is accepted for loopback only)');
});

const address = exactAddress.transform((value) => value.replace(/(?<!\/)\/+$/, ''));

/** The PostgreSQL address: one server, or several of which one takes writes. */
const storeAddress = z.string().transform((value, ctx) => {
  if (/^redis/.test(value))
    return issue(ctx, 'is PostgreSQL now, no longer Redis: postgres://USER@HOST:PORT/DATABASE');
  if (hasPassword(value)) return issue(ctx, 'must not hold a password: give it in SELLER_STORE_PASSWORD');
  return (
    readStoreAddress(value) ??
    issue(
      ctx,
      'must be postgres://USER@HOST:PORT/DATABASE, with several hosts separated by commas, and ?sslmode=disable or ?sslmode=verify-full',
    )
  );
});

/** The address on which a server listens: `127.0.0.1:8787`, `[::1]:8787`. */
const listening = z
  .string()
  .regex(/^(?:\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i, 'must be HOST:PORT, for example 127.0.0.1:8787');

function issue(ctx: z.RefinementCtx, message: string): never {
  ctx.addIssue({ code: 'custom', message });
  return z.NEVER;
}

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
/** The maximum size of each form of an answer; a token is three bytes of UTF-8. */
export const MAX_ANSWER_TOKENS = 100_000;

const milliseconds = whole(1, 600_000);
const text = z.string().min(1).optional();
const switchValue = z.preprocess(
  (value) =>
    value === true || value === 'true' || value === '1'
      ? true
      : value === 'false' || value === '0' || value === ''
        ? false
        : value,
  z.boolean('must be true or false'),
);

/** The cell separator and decimal sign of a CSV: comma and 1.5, semicolon and 1,5, or semicolon and 1.5. */
export const CSV_SIGNS = ['comma', 'semicolon', 'semicolon-point'] as const;
export type CsvSigns = (typeof CSV_SIGNS)[number];

export const settingsSchema = z.object({
  account: z
    .string()
    .regex(/^[\w.@-]{1,64}$/, 'must be 1 to 64 letters, digits, or any of _ . @ -')
    .default('default'),
  // Users type the region by hand into desktop hosts, which do not offer the three values.
  region: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      z.enum(['na', 'eu', 'fe'], {
        error:
          'must be na (sellers in the US, Canada, Mexico or Brazil), fe (Japan, Australia, Singapore) or eu (all others)',
      }),
    )
    .optional(),
  spApiSandbox: switchValue.default(false),
  baseUrl: address.optional(),
  authUrl: address.optional(),
  clientId: text.meta({ neverFlag: true }),
  clientSecret: text.meta({ secret: true }),
  refreshToken: text.meta({ secret: true }),
  sellerId: text,
  // The account resolves a country when it uses the value, so that a start loads no table of countries.
  marketplaceId: z.string().trim().min(1).optional(),
  accessTokenHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name: letters, digits and -')
    .default('x-amz-access-token'),
  connectTimeoutMs: milliseconds.default(10_000),
  callTimeoutMs: milliseconds.default(50_000),
  maxResponseBytes: whole(1024, 268_435_456).default(10_485_760),
  writes: z.enum(['ask', 'page', 'code', 'allow', 'deny']).default('ask'),
  readOnly: switchValue.default(false),
  personalData: z.enum(['mask', 'show']).default('mask'),
  answerTokens: whole(500, MAX_ANSWER_TOKENS).default(10_000),
  sandbox: switchValue.default(false),
  dataDir: text,
  keepDataHours: whole(1, 8_760).optional(),
  keepSnapshotsDays: whole(1, 3_660).default(90),
  compareBelowPercent: whole(0, 100).default(50),
  compareFromRows: whole(1, 1_000_000).default(20),
  filesDir: text,
  csv: z.enum(CSV_SIGNS).optional(),
  stateDir: text,
  keepHistoryDays: whole(1, 366).default(30),
  access: text,
  secretsDir: text,
  stateKeyFile: text,
  stateKey: text.meta({ secret: true }),
  sessionIdleMinutes: whole(1, 1_440).default(30),
  personCollections: whole(1, 10_000).default(50),
  personMegabytes: whole(1, 1_000_000).default(2_048),
  personLists: whole(1, 1_000).default(5),
  personWorkers: whole(1, 64).default(2),
  listen: listening.default('127.0.0.1:8787'),
  publicUrl: address.optional(),
  behindProxy: switchValue.default(false),
  monitor: listening.optional(),
  issuer: exactAddress.optional(),
  audience: text,
  groupsClaim: z.string().min(1).max(256).default('groups'),
  httpToken: z.string().min(32, 'must have 32 characters at least').optional().meta({ secret: true }),
  store: storeAddress.optional(),
  storePassword: text.meta({ secret: true }),
  logLevel: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('warn'),
});

/**
 * Derives flag and variable from the key: `spApiSandbox` is `--sp-api-sandbox` and `SELLER_SP_API_SANDBOX`.
 */
export function namesOf(key: string, schema: z.ZodType): { flag?: string; env: string } {
  const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const env = `SELLER_${flag.replace('seller-', '').replaceAll('-', '_').toUpperCase()}`;
  const { secret, neverFlag } = schema.meta() ?? {};
  return secret === true || neverFlag === true ? { env } : { flag, env };
}
