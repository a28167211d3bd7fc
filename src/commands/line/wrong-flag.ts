/** What is said of a flag that is not known or wrongly used: the one that was meant, never the value behind it. */

import { ConfigError } from '../../errors.ts';
import { commandLine } from '../../invocation.ts';
import { listSettings } from '../../settings.ts';
import { suggest } from './suggest.ts';

/** @param flag as typed, without a value: `--client-secret`. */
export function unknownFlag(flag: string, known: readonly string[]): ConfigError {
  const name = flag.replace(/^-+/, '');
  const near = suggest(name, known);
  if (isSecret(name) || (near === undefined && /secret|token|passw|credential/i.test(name))) {
    return new ConfigError(
      `Secrets are never flags: other programs and the shell's history could read them. There is no ${flag}.`,
      'Type them into the login command, pipe them to it, or set SELLER_CLIENT_SECRET and SELLER_REFRESH_TOKEN in the environment.',
    );
  }
  return new ConfigError(
    `Unknown flag ${flag}.${near === undefined ? '' : ` Did you mean --${near}?`}`,
    `${commandLine('--help')} lists all flags. Secrets are never flags: use the login command.`,
  );
}

/** `--client-secret`, `--SELLER_CLIENT_SECRET`, `--clientSecret`: a setting that is given otherwise. */
function isSecret(name: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[-_]/g, '')
      .replace(/^seller/, '');
  if (plain(name) === 'accesstoken') return true;
  return listSettings().some(({ flag, env }) => flag === undefined && plain(env) === plain(name));
}

/** @param name without dashes. */
export function misusedFlag(name: string, isSwitch: boolean): ConfigError {
  return isSwitch
    ? new ConfigError(`--${name} takes no value.`, `Write --${name}, or --no-${name} to turn it off.`)
    : new ConfigError(
        `--${name} needs a value.`,
        `Write --${name} VALUE, or --${name}=VALUE where the value begins with a dash.`,
      );
}
