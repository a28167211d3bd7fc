/** Describes each setting for --help, the documents and forms; no start loads this module. */

import * as z from 'zod';
import words from './setting-descriptions.json' with { type: 'json' };
import { namesOf, settingsSchema } from './settings.ts';

/**
 * The forms and the description of one setting. A secret has no `flag`, because argument lists are visible.
 */
export interface Setting {
  key: string;
  flag?: string;
  env: string;
  /** A switch takes no value on the command line. */
  isSwitch: boolean;
  /** The allowed values of a short list. */
  choices?: readonly string[];
  /** The default as text; undefined when there is none. */
  defaultValue?: string;
  help: string;
}

/** A setting that lacks its line in the file is a compile error. */
const WORDS: Readonly<Record<keyof typeof settingsSchema.shape, string>> = words;

/** Returns every setting, in the order of the schema. */
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
