/** The names of secret settings as data, so that a start takes them from the environment before it loads any schema. */

import { namesOf, settingsSchema } from '../../src/base/settings.ts';
import type { GeneratedFile } from './generated-file.ts';

export function generateSecretVariables(): GeneratedFile {
  const names = Object.entries(settingsSchema.shape)
    .filter(([, schema]) => schema.meta()?.secret === true)
    .map(([key, schema]) => `  '${namesOf(key, schema).env}',\n`);
  return {
    path: 'src/base/generated/secret-variables.ts',
    text: `// Written by npm run generate from src/base/settings.ts.\n\nexport const SECRET_VARIABLES: readonly string[] = [\n${names.join('')}];\n`,
  };
}
