/** Leaves out of libraries what this program never asks for: of undici fetch, WebSocket, caches and mocks, nearly half of it; of pg the client in C. */

import type { Plugin } from 'esbuild';

const UNDICI = /[\\/]undici[\\/]index\.js$/;

/** These exports are those of undici's own index, whose `request` is the function below around `api.request`. */
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

/** The client in C is not there, whatever the environment says. pg-parts.ts stands in for other packages that pg loads. */
const NATIVE = /[\\/]pg[\\/]lib[\\/]native[\\/]index\.js$/;

export const leanLibraries: Plugin = {
  name: 'lean-libraries',
  setup({ onLoad }) {
    onLoad({ filter: UNDICI }, () => ({ contents: USED, loader: 'js' }));
    onLoad({ filter: YAML }, () => ({ contents: NO_PARSER, loader: 'js' }));
    onLoad({ filter: NATIVE }, () => ({ contents: `module.exports = require('../client');`, loader: 'js' }));
  },
};
