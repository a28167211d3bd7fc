/** Leaves out of libraries what this program never asks for: of undici fetch, WebSocket, caches and mocks, nearly half of it; of ioredis the certificates of one cloud. */

import type { Plugin } from 'esbuild';

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

/** Asked for by a name that no setting gives. */
const CLOUD = /[\\/]ioredis[\\/]built[\\/]constants[\\/]TLSProfiles\.js$/;

export const leanLibraries: Plugin = {
  name: 'lean-libraries',
  setup({ onLoad }) {
    onLoad({ filter: UNDICI }, () => ({ contents: USED, loader: 'js' }));
    onLoad({ filter: CLOUD }, () => ({ contents: 'exports.default = {};', loader: 'js' }));
  },
};
