/** Exports the parts of undici that the client uses, as one module to load late: a bundled CommonJS module has no named exports. */

export { Agent, EnvHttpProxyAgent, request } from 'undici';
