/** ajv as one module to load late: a bundled CommonJS module has no named exports of its own. */

export { Ajv } from 'ajv';
