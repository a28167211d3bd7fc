/** What the client uses of undici, as one module to load late: a bundled CommonJS module has no named exports of its own. */

export { Agent, EnvHttpProxyAgent, request } from 'undici';
