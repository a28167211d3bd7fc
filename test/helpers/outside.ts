/** The outside world of a command, as a test sees it: what it reads, what it wrote, when it is told to stop. */

import { PassThrough } from 'node:stream';
import { createKeychainStore } from '../../src/accounts/keychain/keychain-store.ts';
import { buildConfig } from '../../src/base/config.ts';
import { ConfigError } from '../../src/base/errors.ts';
import type { Outside } from '../../src/program/runtime/outside.ts';

/** The values that may never leave a command. */
export const canary = {
  clientId: 'amzn1.application-oa2-client.id-4412',
  clientSecret: 'amzn1.oa2-cs.v1.canary-secret-9c0b',
  refreshToken: 'Atzr|canary-refresh-77fe',
} as const;
const secrets = [canary.clientSecret, canary.refreshToken, 'canary-access', 'canary-rotated'];

export interface TestOutside extends Outside {
  out(): string;
  err(): string;
  /** Everything that was written, searched for secrets by `leaked`. */
  leaked(): string[];
  type(text: string): void;
  stop: AbortController;
}

/** Answers like a machine without a keychain, but without starting a process. */
export const noKeychain = createKeychainStore({
  execPath: '',
  entryFile: '',
  environment: {},
  platform: 'linux',
  ask: async () => ({ ok: false, cause: 'absent', detail: 'Platform failure: DBus error: no bus' }),
});

/** Answers like a machine without a browser. */
export const noBrowser = async (): Promise<never> => {
  throw new ConfigError('No browser was opened: there is none.');
};

interface Given {
  flags?: Readonly<Record<string, string | boolean>>;
  env?: Readonly<Record<string, string>>;
  /** Piped input; without it stdin is a terminal. */
  piped?: string;
}

export function createTestOutside({ flags = {}, env = {}, piped }: Given = {}): TestOutside {
  let out = '';
  let err = '';
  const stdin = Object.assign(new PassThrough(), { isTTY: piped === undefined });
  if (piped !== undefined) stdin.end(piped);
  const stop = new AbortController();
  return {
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      err += text;
    },
    stdoutMadeUp: (text) => {
      out += text;
    },
    prompt: (text) => {
      err += text;
    },
    learn: () => undefined,
    stdin,
    protocolOut: new PassThrough(),
    interactive: piped === undefined,
    columns: 100,
    config: buildConfig(flags, env),
    entryFile: '/nowhere/main.mjs',
    execPath: process.execPath,
    platform: process.platform,
    insideElectron: false,
    openInBrowser: noBrowser,
    keychain: noKeychain,
    version: '0.0.0-test',
    env,
    signal: stop.signal,
    out: () => out,
    err: () => err,
    leaked: () => secrets.filter((secret) => `${out}${err}`.includes(secret)),
    type: (text) => void stdin.write(text),
    stop,
  };
}
