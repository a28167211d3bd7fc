/** Describes each setting in words: for --help, the documents and forms; no start loads them. */

import * as z from 'zod';
import { namesOf, settingsSchema } from './settings.ts';
import words from './settings-words.json' with { type: 'json' };

/** How one setting is given and what it means. No `flag`: a secret, which never stands in an argument list. */
export interface Setting {
  key: string;
  flag?: string;
  env: string;
  /** A switch takes no value on the command line. */
  isSwitch: boolean;
  /** Allowed values, where there is a short list. */
  choices?: readonly string[];
  /** As text, undefined when there is none. */
  defaultValue?: string;
  help: string;
}

/** A setting without a line in the file does not compile. */
const WORDS: Readonly<Record<keyof typeof settingsSchema.shape, string>> = words;

/** Every setting, in the order of the schema. */
export function listSettings(): Setting[] {
  const json = z.toJSONSchema(settingsSchema, { io: 'output', unrepresentable: 'any' });
  return settingsSchema.keyof().options.map((key) => {
    const schema = settingsSchema.shape[key];
    const property = json.properties?.[key];
    const shape = typeof property === 'object' ? property : {};
    return {
      key,
      ...namesOf(key, schema),
      isSwitch: shape.type === 'boolean',
      choices: shape.enum?.map(String),
      defaultValue:
        shape.default === undefined || shape.default === false ? undefined : String(shape.default),
      help: WORDS[key],
    };
  });
}
