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

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
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

/** What separates the cells of a CSV, and what stands before decimals: a comma and 1.5, a semicolon and 1,5, a semicolon and 1.5. */
export const CSV_SIGNS = ['comma', 'semicolon', 'semicolon-point'] as const;
export type CsvSigns = (typeof CSV_SIGNS)[number];

export const settingsSchema = z.object({
  account: z
    .string()
    .regex(/^[\w.@-]{1,64}$/, 'must be 1 to 64 letters, digits, or any of _ . @ -')
    .default('default')
    .describe('Account used when a call names none'),
  // Typed by hand into the settings of a desktop host, where nothing offers the three values.
  region: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      z.enum(['na', 'eu', 'fe']),
    )
    .optional()
    .describe('Region of the public service: North America, Europe or Far East; sets both addresses'),
  spApiSandbox: switchValue
    .default(false)
    .describe("Use the region's own sandbox addresses (SP-API sandbox)"),
  baseUrl: address.optional().describe('Address of the service, instead of a region'),
  authUrl: address.optional().describe('Address of the identity provider, instead of a region'),
  clientId: text.describe('Client identifier of the registered application').meta({ secret: true }),
  clientSecret: text.describe('Client secret of the registered application').meta({ secret: true }),
  refreshToken: text.describe('Refresh token of the seller').meta({ secret: true }),
  sellerId: text.describe('Seller id, filled in where a call leaves it out'),
  // A country is looked up where an account takes the value, so that a start loads no table of them.
  marketplaceId: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('Marketplace (id, or country: DE, Germany), filled in where a call leaves it out'),
  accessTokenHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name: letters, digits and -')
    .default('x-amz-access-token')
    .describe('Header that carries the access token'),
  connectTimeoutMs: milliseconds.default(10_000).describe('Longest time to connect, in milliseconds'),
  callTimeoutMs: milliseconds
    .default(50_000)
    .describe('Longest time for one whole call, waits and retries included, in milliseconds'),
  maxResponseBytes: whole(1024, 268_435_456).default(10_485_760).describe('Largest response read, in bytes'),
  writes: z
    .enum(['ask', 'page', 'code', 'allow', 'deny'])
    .default('ask')
    .describe('Writes: ask, page (ask in the browser), code, allow or deny'),
  readOnly: switchValue.default(false).describe('Deny every write, whatever --writes says'),
  personalData: z
    .enum(['mask', 'show'])
    .default('mask')
    .describe('Personal data of buyers and recipients: mask them for the assistant, or show them'),
  answerTokens: whole(500, 100_000)
    .default(10_000)
    .describe('Largest answer of a tool, in tokens (UTF-8 bytes / 3)'),
  sandbox: switchValue
    .default(false)
    .describe('Serve from an embedded sandbox on loopback, credentials included'),
  dataDir: text.describe(
    'Folder for definitions you add and data you collect (default: that of your system)',
  ),
  keepDataHours: whole(1, 8_760)
    .optional()
    .describe(
      'How long collected data are kept, in hours (default: 24; tables with personal data end with the process)',
    ),
  keepSnapshotsDays: whole(1, 3_660)
    .default(90)
    .describe(
      'How long what a comparison of reviews needs is kept (status, price, stock and featured offer by SKU), in days',
    ),
  filesDir: text.describe(
    'Folder for files that you save or upload (default: "Seller commerce" in your downloads folder)',
  ),
  csv: z
    .enum(CSV_SIGNS)
    .optional()
    .describe(
      'How .csv files separate cells and write numbers: comma (1.5), semicolon (1,5) or semicolon-point (1.5); default: as in the country of the marketplace',
    ),
  stateDir: text.describe(
    'Folder for the journal of writes, the values before them, and lists under way (default: that of your system)',
  ),
  keepHistoryDays: whole(1, 366)
    .default(30)
    .describe('How long the values before each write are kept, so that it can be undone, in days'),
  logLevel: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('warn')
    .describe('What is logged to stderr'),
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

/** How a setting is given follows from its key: `spApiSandbox` is `--sp-api-sandbox` and `SELLER_SP_API_SANDBOX`. */
export function namesOf(key: string, schema: z.ZodType): Pick<Setting, 'flag' | 'env'> {
  const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const env = `SELLER_${flag.replace('seller-', '').replaceAll('-', '_').toUpperCase()}`;
  return schema.meta()?.secret === true ? { env } : { flag, env };
}

/** Every setting, in the order of the schema. */
export function listSettings(): Setting[] {
  const json = z.toJSONSchema(settingsSchema, { io: 'output', unrepresentable: 'any' });
  return Object.entries(settingsSchema.shape).map(([key, schema]) => {
    const property = json.properties?.[key];
    const shape = typeof property === 'object' ? property : {};
    return {
      key,
      ...namesOf(key, schema),
      isSwitch: shape.type === 'boolean',
      choices: shape.enum?.map(String),
      defaultValue:
        shape.default === undefined || shape.default === false ? undefined : String(shape.default),
      help: schema.description ?? '',
    };
  });
}
