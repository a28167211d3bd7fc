/** Starts the keychain child for one request, and ends it when it does not answer in time. */

import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { KEYCHAIN_CHILD_ARGUMENT, type KeychainAnswer, type KeychainRequest } from './keychain-protocol.ts';

export interface KeychainChildOptions {
  /** The Node that runs this program (`process.execPath`). */
  execPath: string;
  /** The file that, given the argument `keychain-child`, calls `runKeychainChild`. */
  entryFile: string;
  /** Environment of the child; the program's own credentials are left out of it. */
  environment: Readonly<Record<string, string | undefined>>;
  /** True inside Electron: then a child is started only where Electron was itself started as Node. */
  insideElectron?: boolean;
  timeoutMs?: number;
}

const MAX_ANSWER_CHARACTERS = 1_000_000;
const MAX_COMPLAINT_CHARACTERS = 200;

/** Never rejects: what goes wrong is an answer too. */
export async function askKeychain(
  options: KeychainChildOptions,
  request: KeychainRequest,
): Promise<KeychainAnswer> {
  const child = startChild(options);
  if ('ok' in child) return child;
  const timeoutMs = options.timeoutMs ?? 5000;
  return await new Promise((resolve) => {
    // SIGKILL: a child blocked inside the native module handles no other signal.
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve({ ok: false, cause: 'timed-out', detail: `no answer within ${timeoutMs / 1000} s` });
    }, timeoutMs);
    const output = collect(child.stdout, MAX_ANSWER_CHARACTERS);
    const complaint = collect(child.stderr, MAX_COMPLAINT_CHARACTERS);
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve({ ok: false, cause: 'no-child', detail: error.message });
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve(parseAnswer(output()) ?? noAnswer(code, signal, complaint()));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(`${JSON.stringify(request)}\n`);
  });
}

function startChild(options: KeychainChildOptions): ChildProcess | KeychainAnswer {
  // Electron that does not run as Node would open the host's application a second time.
  if (options.insideElectron === true && (options.environment.ELECTRON_RUN_AS_NODE ?? '') === '') {
    return { ok: false, cause: 'no-child', detail: 'the built-in Node of this host starts no processes' };
  }
  try {
    return spawn(options.execPath, [options.entryFile, KEYCHAIN_CHILD_ARGUMENT], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: withoutCredentials(options.environment),
      windowsHide: true,
    });
  } catch (error) {
    return { ok: false, cause: 'no-child', detail: error instanceof Error ? error.message : String(error) };
  }
}

function withoutCredentials(environment: KeychainChildOptions['environment']): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !name.toUpperCase().startsWith('SELLER_')) kept[name] = value;
  }
  return kept;
}

function collect(stream: Readable | null, limit: number): () => string {
  let text = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    if (text.length < limit) text += chunk;
  });
  stream?.on('error', () => undefined);
  return () => text.slice(0, limit);
}

function noAnswer(code: number | null, signal: string | null, complaint: string): KeychainAnswer {
  const how = signal === null ? `code ${code ?? 'unknown'}` : `signal ${signal}`;
  const why = complaint.trim().split('\n')[0] ?? '';
  const detail = `the helper process ended with ${how}${why === '' ? '' : `: ${why}`}`;
  return { ok: false, cause: 'failed', detail };
}

function parseAnswer(text: string): KeychainAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isAnswer(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The child is this same program, so the outline is enough. */
function isAnswer(value: unknown): value is KeychainAnswer {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return false;
  return value.ok === true || ('cause' in value && 'detail' in value);
}
