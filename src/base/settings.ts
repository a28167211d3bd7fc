/** Settings as data: one schema, from which the configuration, --help and the README's table are made. */

import * as z from 'zod';
import { isLoopback } from './loopback.ts';

const address = z.string().transform((value, ctx) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return issue(ctx, 'must be an address, for example https://service.example');
  if (url.username !== '' || url.password !== '') return issue(ctx, 'must not hold a user name or password');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) {
    return value.replace(/(?<!\/)\/+$/, '');
  }
  return issue(ctx, 'must start with https:// (http:// is accepted for loopback only)');
});

function issue(ctx: z.RefinementCtx, message: string): never {
  ctx.addIssue({ code: 'custom', message });
  return z.NEVER;
}

const milliseconds = z.coerce.number().int().min(1).max(600_000);
const switchValue = z.preprocess(
  (value) =>
    value === true || value === 'true' || value === '1'
      ? true
      : value === 'false' || value === '0' || value === ''
        ? false
        : value,
  z.boolean('must be true or false'),
);

export const settingsSchema = z.object({
  account: z
    .string()
    .regex(/^[\w.@-]{1,64}$/, 'must be 1 to 64 letters, digits, or any of _ . @ -')
    .default('default')
    .describe('Account used when a call names none')
    .meta({ flag: 'account', env: 'SELLER_ACCOUNT' }),
  // Typed by hand into the settings of a desktop host, where nothing offers the three values.
  region: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      z.enum(['na', 'eu', 'fe']),
    )
    .optional()
    .describe('Region of the public service: North America, Europe or Far East; sets both addresses')
    .meta({ flag: 'region', env: 'SELLER_REGION' }),
  spApiSandbox: switchValue
    .default(false)
    .describe("Use the region's own sandbox addresses (SP-API sandbox)")
    .meta({ flag: 'sp-api-sandbox', env: 'SELLER_SP_API_SANDBOX' }),
  baseUrl: address
    .optional()
    .describe('Address of the service, instead of a region')
    .meta({ flag: 'base-url', env: 'SELLER_BASE_URL' }),
  authUrl: address
    .optional()
    .describe('Address of the identity provider, instead of a region')
    .meta({ flag: 'auth-url', env: 'SELLER_AUTH_URL' }),
  clientId: z
    .string()
    .min(1)
    .optional()
    .describe('Client identifier of the registered application')
    .meta({ env: 'SELLER_CLIENT_ID', secret: true }),
  clientSecret: z
    .string()
    .min(1)
    .optional()
    .describe('Client secret of the registered application')
    .meta({ env: 'SELLER_CLIENT_SECRET', secret: true }),
  refreshToken: z
    .string()
    .min(1)
    .optional()
    .describe('Refresh token of the seller')
    .meta({ env: 'SELLER_REFRESH_TOKEN', secret: true }),
  sellerId: z
    .string()
    .min(1)
    .optional()
    .describe('Seller id, filled in where a call leaves it out')
    .meta({ flag: 'seller-id', env: 'SELLER_ID' }),
  // A country is looked up where an account takes the value, so that a start loads no table of them.
  marketplaceId: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('Marketplace (id, or country: DE, Germany), filled in where a call leaves it out')
    .meta({ flag: 'marketplace-id', env: 'SELLER_MARKETPLACE_ID' }),
  accessTokenHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name: letters, digits and -')
    .default('x-amz-access-token')
    .describe('Header that carries the access token')
    .meta({ flag: 'access-token-header', env: 'SELLER_ACCESS_TOKEN_HEADER' }),
  connectTimeoutMs: milliseconds
    .default(10_000)
    .describe('Longest time to connect, in milliseconds')
    .meta({ flag: 'connect-timeout-ms', env: 'SELLER_CONNECT_TIMEOUT_MS' }),
  callTimeoutMs: milliseconds
    .default(50_000)
    .describe('Longest time for one whole call, waits and retries included, in milliseconds')
    .meta({ flag: 'call-timeout-ms', env: 'SELLER_CALL_TIMEOUT_MS' }),
  maxResponseBytes: z.coerce
    .number()
    .int()
    .min(1024)
    .max(268_435_456)
    .default(10_485_760)
    .describe('Largest response read, in bytes')
    .meta({ flag: 'max-response-bytes', env: 'SELLER_MAX_RESPONSE_BYTES' }),
  writes: z
    .enum(['ask', 'code', 'allow', 'deny'])
    .default('ask')
    .describe('Writes: ask the person, ask for a confirmation code, allow at once, or deny')
    .meta({ flag: 'writes', env: 'SELLER_WRITES' }),
  readOnly: switchValue
    .default(false)
    .describe('Deny every write, whatever --writes says')
    .meta({ flag: 'read-only', env: 'SELLER_READ_ONLY' }),
  personalData: z
    .enum(['mask', 'show'])
    .default('mask')
    .describe('Personal data of buyers and recipients: mask them for the assistant, or show them')
    .meta({ flag: 'personal-data', env: 'SELLER_PERSONAL_DATA' }),
  answerTokens: z.coerce
    .number()
    .int()
    .min(500)
    .max(100_000)
    .default(10_000)
    .describe('Largest answer of a tool, in tokens (UTF-8 bytes / 3)')
    .meta({ flag: 'answer-tokens', env: 'SELLER_ANSWER_TOKENS' }),
  sandbox: switchValue
    .default(false)
    .describe('Serve from an embedded sandbox on loopback, credentials included')
    .meta({ flag: 'sandbox', env: 'SELLER_SANDBOX' }),
  dataDir: z
    .string()
    .min(1)
    .optional()
    .describe('Folder for definitions you add and data you collect (default: the data folder of your system)')
    .meta({ flag: 'data-dir', env: 'SELLER_DATA_DIR' }),
  keepDataHours: z.coerce
    .number()
    .int()
    .min(1)
    .max(8_760)
    .optional()
    .describe(
      'How long collected data are kept, in hours (default: 24; tables with personal data end with the process)',
    )
    .meta({ flag: 'keep-data-hours', env: 'SELLER_KEEP_DATA_HOURS' }),
  filesDir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for files that you save or upload (default: "Seller commerce" in your downloads folder)',
    )
    .meta({ flag: 'files-dir', env: 'SELLER_FILES_DIR' }),
  stateDir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for the journal of writes, the values before them, and lists under way (default: the state folder of your system)',
    )
    .meta({ flag: 'state-dir', env: 'SELLER_STATE_DIR' }),
  keepHistoryDays: z.coerce
    .number()
    .int()
    .min(1)
    .max(366)
    .default(30)
    .describe('How long the values before each write are kept, so that it can be undone, in days')
    .meta({ flag: 'keep-history-days', env: 'SELLER_KEEP_HISTORY_DAYS' }),
  logLevel: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('warn')
    .describe('What is logged to stderr')
    .meta({ flag: 'log-level', env: 'SELLER_LOG_LEVEL' }),
});

/** How one setting is given and what it means. No `flag`: a secret, which never stands in an argument list. */
export interface Setting {
  key: string;
  flag?: string;
  env: string;
  /** A switch takes no value on the command line. */
  isSwitch: boolean;
  /** Allowed values, where there is a short list. */
  choices?: readonly string[];
  /** As text, undefined when there is none. */
  defaultValue?: string;
  help: string;
}

/** Where each setting's flag and environment variable stand in the schema. */
export const metaSchema = z.object({ flag: z.string().optional(), env: z.string() });

/** Every setting, in the order of the schema. */
export function listSettings(): Setting[] {
  const json = z.toJSONSchema(settingsSchema, { io: 'output', unrepresentable: 'any' });
  return Object.entries(settingsSchema.shape).map(([key, schema]) => {
    const meta = metaSchema.parse(schema.meta());
    const property = json.properties?.[key];
    const shape = typeof property === 'object' ? property : {};
    return {
      key,
      ...meta,
      isSwitch: shape.type === 'boolean',
      choices: shape.enum?.map(String),
      defaultValue:
        shape.default === undefined || shape.default === false ? undefined : String(shape.default),
      help: schema.description ?? '',
    };
  });
}
