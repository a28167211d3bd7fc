/** Tells tests whether a real keychain answers here, and gives them the keychain child as a program of its own. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { describe } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles a TypeScript file to a program under node_modules/.cache, from where the native module is found. */
export function buildProgram(
  source: string,
  outDir = path.join(root, 'node_modules/.cache/test-programs'),
): string {
  mkdirSync(outDir, { recursive: true });
  const outfile = path.join(outDir, `${path.basename(source, '.ts')}.mjs`);
  const unfinished = `${outfile}.${process.pid}.mjs`;
  buildSync({
    entryPoints: [path.resolve(root, source)],
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@napi-rs/keyring'],
    // undici is CommonJS, which asks for Node's own modules by `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  // Several test files build the same program at once.
  renameSync(unfinished, outfile);
  return outfile;
}

export function buildKeychainChild(outDir?: string): string {
  return buildProgram('test/helpers/keychain-child-entry.ts', outDir);
}

/** Set by scripts/with-keychain.sh: the keyring in this session was made for tests. */
const OWN_KEYRING = 'TEST_KEYRING';

/** Why the tests of the real keychain cannot run; undefined when they can. A person's own keychain is left alone. */
function findReason(): string | undefined {
  if (process.env[OWN_KEYRING] === undefined) return 'this session has no keyring made for tests';
  const answer = spawnSync(process.execPath, [buildKeychainChild()], {
    input: `${JSON.stringify({ op: 'read', entry: 'probe' })}\n`,
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  if (answer.status === 0) return undefined;
  return answer.stdout.trim() || answer.error?.message || answer.stderr.trim();
}

let found: { reason: string | undefined } | undefined;

/** True when tests of the real keychain run: when there is one, and in CI (CI=true) always, where they then fail. */
export function runsWithKeychain(): boolean {
  if (found === undefined) {
    found = { reason: findReason() };
    if (found.reason !== undefined && process.env.CI !== 'true') {
      process.stderr.write(
        `Tests of the real keychain are skipped: ${found.reason}. To run them: scripts/with-keychain.sh npx vitest run\n`,
      );
    }
  }
  return found.reason === undefined || process.env.CI === 'true';
}

export function describeWithKeychain(title: string, body: () => void): void {
  describe.runIf(runsWithKeychain())(title, body);
}
