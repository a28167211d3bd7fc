/**
 * Builds the configuration: flags override the environment, which overrides defaults; it is validated once
 * and frozen.
 */

import type * as z from 'zod';
import { ConfigError } from './errors.ts';
import { commandLine, hasCommandLine } from './invocation.ts';
import { namesOf, settingsSchema } from './settings.ts';

export type Config = Readonly<z.infer<typeof settingsSchema>>;

/** Desktop hosts pass a bundle's unset optional settings as their literal placeholder. */
const isUnset = (value: string | undefined) =>
  value === undefined || value.trim() === '' || /^\$\{user_config\.\w+\}$/.test(value);

const readOnlyWins = (config: Config): Config => (config.readOnly ? { ...config, writes: 'deny' } : config);

/**
 * Merges flags, environment and defaults, then validates and freezes the result.
 * @param flags values by flag name, as parsed from the command line.
 * @throws ConfigError naming each wrong setting by its flag or variable, never showing a secret.
 */
export function buildConfig(
  flags: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const input: Record<string, unknown> = {};
  const names = new Map<string, string>();
  for (const [key, schema] of Object.entries(settingsSchema.shape)) {
    const { flag, env: variable } = namesOf(key, schema);
    const flagValue = flag === undefined ? undefined : flags[flag];
    names.set(key, flagValue === undefined ? variable : `--${flag}`);
    if (flagValue !== undefined) input[key] = flagValue;
    else if (!isUnset(env[variable])) input[key] = env[variable];
  }
  const parsed = settingsSchema.safeParse(input);
  if (parsed.success) return Object.freeze(readOnlyWins(parsed.data));
  const problems = parsed.error.issues.map(
    (found) => `${names.get(String(found.path[0]))}: ${found.message}`,
  );
  throw new ConfigError(
    `Invalid settings. ${problems.join('; ')}.`,
    hasCommandLine()
      ? `Correct the flag or environment variable; ${commandLine('--help')} lists all of them.`
      : 'Correct it in the settings of this extension in your host.',
  );
}
