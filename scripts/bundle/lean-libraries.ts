/** Leaves out of libraries what this program never asks for: of undici fetch, WebSocket, caches and mocks, nearly half of it; of ioredis the certificates of one cloud, and what it knows of commands that nobody gives. */

import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { toObject } from '../../src/base/json.ts';

const UNDICI = /[\\/]undici[\\/]index\.js$/;

/** As undici's own index has them, whose `request` is the function below around `api.request`. */
const USED = `
const { getGlobalDispatcher } = require('./lib/global');
const Dispatcher = require('./lib/dispatcher/dispatcher');
const { parseURL } = require('./lib/core/util');
const api = require('./lib/api');
Object.assign(Dispatcher.prototype, api);
exports.Agent = require('./lib/dispatcher/agent');
exports.EnvHttpProxyAgent = require('./lib/dispatcher/env-http-proxy-agent');
exports.request = (address, options = {}) => {
  const { origin, pathname, search } = parseURL(address);
  const { dispatcher = getGlobalDispatcher(), method = options.body ? 'PUT' : 'GET' } = options;
  return api.request.call(dispatcher, { ...options, origin, path: pathname + search, method });
};
`;

/** The parser of YAML files, which none is left to: definitions are parsed before their references are followed. */
const YAML = /[\\/]json-schema-ref-parser[\\/]dist[\\/]lib[\\/]parsers[\\/]yaml\.js$/;
const NO_PARSER = 'export default { order: 200, canParse: [], parse: (file) => file.data };';

/** Asked for by a name that no setting gives. */
const CLOUD = /[\\/]ioredis[\\/]built[\\/]constants[\\/]TLSProfiles\.js$/;

const COMMANDS = /[\\/]@ioredis[\\/]commands[\\/]built[\\/]commands\.json$/;

/** Those of src/replicas/shared-store.ts, and those that ioredis gives by itself: as it connects, to Sentinels, in a Cluster. */
const GIVEN = new Set([
  ...['evalsha', 'eval', 'info', 'auth', 'hello', 'select', 'client', 'ping', 'quit', 'reset', 'role'],
  ...['readonly', 'readwrite', 'asking', 'cluster', 'sentinel', 'script', 'multi', 'exec', 'monitor'],
  ...['subscribe', 'psubscribe', 'ssubscribe', 'unsubscribe', 'punsubscribe', 'sunsubscribe', 'himport'],
]);

async function givenCommands(path: string): Promise<string> {
  const all = toObject(JSON.parse(await readFile(path, 'utf8')));
  return JSON.stringify(Object.fromEntries(Object.entries(all).filter(([name]) => GIVEN.has(name))));
}

export const leanLibraries: Plugin = {
  name: 'lean-libraries',
  setup({ onLoad }) {
    onLoad({ filter: UNDICI }, () => ({ contents: USED, loader: 'js' }));
    onLoad({ filter: COMMANDS }, async ({ path }) => ({
      contents: await givenCommands(path),
      loader: 'json',
    }));
    onLoad({ filter: YAML }, () => ({ contents: NO_PARSER, loader: 'js' }));
    onLoad({ filter: CLOUD }, () => ({ contents: 'exports.default = {};', loader: 'js' }));
  },
};
