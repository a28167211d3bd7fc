/** Replaces the SDK's `_shims` without the 150 KB of ajv that it loads to check form answers. */

export { default as process } from 'node:process';
export { FormValidator as DefaultJsonSchemaValidator } from '../../src/protocol/form-validator.ts';
