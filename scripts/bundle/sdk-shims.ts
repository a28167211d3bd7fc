/** What the SDK takes from its own `_shims`, without the 150 KB of ajv that it loads to check the answers to forms. */

export { default as process } from 'node:process';
export { FormValidator as DefaultJsonSchemaValidator } from '../../src/mcp/form-validator.ts';
