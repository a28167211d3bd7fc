/** What each setting means, in words: for --help, the documents and forms; no start loads them. */

import * as z from 'zod';
import { namesOf, settingsSchema } from './settings.ts';

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

/** Without a line here a setting does not compile. */
const WORDS: Readonly<Record<keyof typeof settingsSchema.shape, string>> = {
  account: 'Account used when a call names none',
  region: 'Region of the public service: North America, Europe or Far East; sets both addresses',
  spApiSandbox: "Use the region's own sandbox addresses (SP-API sandbox)",
  baseUrl: 'Address of the service, instead of a region',
  authUrl: 'Address of the identity provider, instead of a region',
  clientId: 'Client identifier of the registered application',
  clientSecret: 'Client secret of the registered application',
  refreshToken: 'Refresh token of the seller',
  sellerId: 'Seller id, filled in where a call leaves it out',
  marketplaceId: 'Marketplace (id, or country: DE, Germany), filled in where a call leaves it out',
  accessTokenHeader: 'Header that carries the access token',
  connectTimeoutMs: 'Longest time to connect, in milliseconds',
  callTimeoutMs: 'Longest time for one whole call, waits and retries included, in milliseconds',
  maxResponseBytes: 'Largest response read, in bytes',
  writes: 'Writes: ask, page (ask in the browser), code, allow or deny',
  readOnly: 'Deny every write, whatever --writes says',
  personalData: 'Personal data of buyers and recipients: mask them for the assistant, or show them',
  answerTokens: 'Largest answer of a tool, in tokens (UTF-8 bytes / 3)',
  sandbox: 'Serve from an embedded sandbox on loopback, credentials included',
  dataDir: 'Folder for definitions you add and data you collect (default: that of your system)',
  keepDataHours:
    'How long collected data are kept, in hours (default: 24; tables with personal data end with the process, or after 30 days)',
  keepSnapshotsDays:
    'How long what a comparison of reviews needs is kept (status, price, stock and featured offer by SKU), in days',
  compareBelowPercent:
    'Tell when rows or a sum fall below this percentage of the last collection of the same kind; 0: compare nothing (docs/reports.md)',
  compareFromRows: 'Rows that the last collection must have had, so that fewer are told',
  filesDir: 'Folder for files that you save or upload (default: "Seller commerce" in your downloads folder)',
  csv: 'How .csv files separate cells and write numbers: comma (1.5), semicolon (1,5) or semicolon-point (1.5); default: as in the country of the marketplace',
  stateDir:
    'Folder for the journal of writes, the values before them, and lists under way (default: that of your system)',
  keepHistoryDays: 'How long the values before each write are kept, so that it can be undone, in days',
  access:
    'serve-http: file that says who may use which accounts (access.yaml); without it, groups of the login do',
  secretsDir: 'serve-http: folder with the secrets of each account, <account>.json',
  stateKeyFile: 'serve-http: file with the key that seals what the server keeps, the newest first',
  stateKey: 'serve-http: the same key, instead of a file',
  sessionIdleMinutes: 'serve-http: how long a session lasts in which nothing happens, in minutes',
  personCollections: 'serve-http: collections that one person may keep',
  personMegabytes: 'serve-http: size of all that, in MB',
  personLists: 'serve-http: lists of writes that one person may have open',
  personWorkers: 'serve-http: queries and loads that run at once for one person',
  listen: 'serve-http: where it listens, HOST:PORT',
  publicUrl: 'serve-http: its address as people reach it; they connect to /mcp below it',
  behindProxy: 'serve-http: a proxy before it ends TLS and hands the Host header on',
  monitor: 'serve-http: where /healthz, /readyz and /metrics are served, HOST:PORT',
  issuer: 'serve-http: the OpenID or OAuth provider whose tokens are taken (its issuer, to the letter)',
  audience: 'serve-http: whom a token has to be for (default: the address that people connect to)',
  groupsClaim: 'serve-http: the claim of the token that holds the groups of a person',
  httpToken: 'serve-http: instead of a provider, the one token that is taken; on this machine only',
  store:
    'PostgreSQL database that several processes share, for limits, tokens, codes and history of a seller (docs/replicas.md)',
  storePassword: 'Password of that database; the user name stands in its address',
  logLevel: 'What is logged to stderr',
};

/** Every setting, in the order of the schema. */
export function listSettings(): Setting[] {
  const json = z.toJSONSchema(settingsSchema, { io: 'output', unrepresentable: 'any' });
  return settingsSchema.keyof().options.map((key) => {
    const schema = settingsSchema.shape[key];
    const property = json.properties?.[key];
    const shape = typeof property === 'object' ? property : {};
    return {
      key,
      ...namesOf(key, schema),
      isSwitch: shape.type === 'boolean',
      choices: shape.enum?.map(String),
      defaultValue:
        shape.default === undefined || shape.default === false ? undefined : String(shape.default),
      help: WORDS[key],
    };
  });
}
