/**
 * One of the libraries that people use today, unchanged, behind the same JSON lines as our program. It can speak to the
 * public addresses only, so every TLS connection of this process is redirected to the loopback service.
 */

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

const env = z
  .object({
    PEER: z.enum(['amazon-sp-api', '@sp-api-sdk']),
    PEER_FOLDER: z.string(),
    PEER_TLS_PORT: z.coerce.number(),
    SELLER_CLIENT_ID: z.string(),
    SELLER_CLIENT_SECRET: z.string(),
    SELLER_REFRESH_TOKEN: z.string(),
  })
  .parse(process.env);

const argumentsSchema = z.object({ asin: z.string(), MarketplaceId: z.string() });
const requestSchema = z.object({
  id: z.number(),
  method: z.string(),
  params: z.looseObject({ arguments: argumentsSchema.optional() }),
});
type CatalogCall = z.infer<typeof argumentsSchema>;

const anyFunction = z.custom<(...values: unknown[]) => unknown>((value) => typeof value === 'function');
const anyClass = z.custom<new (options: object) => object>((value) => typeof value === 'function');

leadToLoopback(env.PEER_TLS_PORT);
const call = env.PEER === 'amazon-sp-api' ? openAmazonSpApi() : await openSpApiSdk();

createInterface({ input: process.stdin }).on('line', async (line) => {
  const request = requestSchema.safeParse(JSON.parse(line));
  if (!request.success) return;
  const { id, params } = request.data;
  const isError = params.arguments !== undefined && !(await succeeds(params.arguments));
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { isError } })}\n`);
});

async function succeeds(args: CatalogCall): Promise<boolean> {
  try {
    await call(args);
    return true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

function openAmazonSpApi(): (args: CatalogCall) => Promise<unknown> {
  const SellingPartner = anyClass.parse(
    createRequire(`${env.PEER_FOLDER}/package.json`)('amazon-sp-api').SellingPartner,
  );
  const partner = new SellingPartner({
    region: 'eu',
    refresh_token: env.SELLER_REFRESH_TOKEN,
    credentials: {
      SELLING_PARTNER_APP_CLIENT_ID: env.SELLER_CLIENT_ID,
      SELLING_PARTNER_APP_CLIENT_SECRET: env.SELLER_CLIENT_SECRET,
    },
  });
  const { callAPI } = z.object({ callAPI: anyFunction }).parse({ callAPI: Reflect.get(partner, 'callAPI') });
  return async ({ asin, MarketplaceId }) =>
    callAPI.call(partner, {
      method: 'GET',
      api_path: `/catalog/v0/items/${asin}`,
      query: { MarketplaceId },
    });
}

async function openSpApiSdk(): Promise<(args: CatalogCall) => Promise<unknown>> {
  const SellingPartnerApiAuth = anyClass.parse((await load('auth')).SellingPartnerApiAuth);
  const createAxiosInstance = anyFunction.parse((await load('common')).createAxiosInstance);
  const auth = new SellingPartnerApiAuth({
    clientId: env.SELLER_CLIENT_ID,
    clientSecret: env.SELLER_CLIENT_SECRET,
    refreshToken: env.SELLER_REFRESH_TOKEN,
  });
  const made = createAxiosInstance({ auth, region: 'eu', rateLimiting: { retry: true } }, []);
  const { axios, endpoint } = z
    .object({ axios: z.custom<object>((value) => typeof value === 'function'), endpoint: z.string() })
    .parse(made);
  const get = anyFunction.parse(Reflect.get(axios, 'get'));
  return async ({ asin, MarketplaceId }) =>
    get(`${endpoint}/catalog/v0/items/${asin}`, { params: { MarketplaceId } });
}

/** As an ES module: the CommonJS form of `common` fails on Node 20. */
async function load(name: string): Promise<Record<string, unknown>> {
  const file = `${env.PEER_FOLDER}/node_modules/@sp-api-sdk/${name}/dist/index.js`;
  return import(pathToFileURL(file).href);
}

function leadToLoopback(port: number): void {
  const connect = tls.connect;
  const led = (options: tls.ConnectionOptions, ...rest: [() => void] | []) =>
    connect({ ...options, host: '127.0.0.1', port }, ...rest);
  Object.assign(tls, { connect: led });
}
