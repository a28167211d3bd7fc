/** Starts the keychain child for one request, and kills it when it does not answer in time. */

import { type SpawnOptions, spawn } from 'node:child_process';
import { Duplex, type Readable, type Writable } from 'node:stream';
import { answerChallenge, HANDSHAKE_FD } from './handshake.ts';
import {
  KEYCHAIN_CHILD_ARGUMENT,
  type KeychainAnswer,
  type KeychainRequest,
  parseAnswer,
} from './keychain-protocol.ts';

/** The members of a child process that are used here. */
export interface KeychainChild {
  stdin: Writable | null;
  stdout: Readable | null;
  stderr: Readable | null;
  /** The streams by descriptor, including the one for the handshake. */
  stdio?: readonly unknown[];
  kill(signal: 'SIGKILL'): unknown;
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'close', listener: (code: number | null, signal: string | null) => void): unknown;
}

export interface KeychainChildOptions {
  /** The Node executable that runs this program (`process.execPath`). */
  execPath: string;
  /** The file that, given the argument `keychain-child`, calls `runKeychainChild`. */
  entryFile: string;
  /** The environment of the child, without the program's own credentials. */
  environment: Readonly<Record<string, string | undefined>>;
  /** True inside Electron, where a child is started only if Electron itself runs as Node. */
  insideElectron?: boolean;
  /** The time limit for the keychain, counted from when the child has started. */
  timeoutMs?: number;
  /** Starts a process; injected in tests. */
  start?: (program: string, args: readonly string[], options: SpawnOptions) => KeychainChild;
}

/** The limit is short, because a user may have to be warned soon that the keychain hangs. */
const ANSWER_MS = 5_000;

/**
 * A machine that is busy or has just woken up may take many seconds to start a process, which is no keychain
 * failure.
 */
const START_MS = 20_000;

const MAX_ANSWER_CHARACTERS = 1_000_000;
const MAX_COMPLAINT_CHARACTERS = 200;

/** Sends one request to the keychain. Never rejects; a failure is an answer too. */
export async function requestKeychain(
  options: KeychainChildOptions,
  request: KeychainRequest,
): Promise<KeychainAnswer> {
  const child = startChild(options);
  if ('ok' in child) return child;
  const answerMs = options.timeoutMs ?? ANSWER_MS;
  return await new Promise((resolve) => {
    const output = collect(child.stdout, MAX_ANSWER_CHARACTERS);
    const complaint = collect(child.stderr, MAX_COMPLAINT_CHARACTERS);
    const giveUp = (detail: string) => {
      // A child that blocks inside the native module handles no signal but SIGKILL.
      child.kill('SIGKILL');
      resolve(parseAnswer(output()) ?? { ok: false, cause: 'timed-out', detail });
    };
    let timer = limit(START_MS, () => giveUp(`the helper process did not start within ${START_MS / 1000} s`));
    child.stdout?.once('data', () => {
      timer.clear();
      timer = limit(answerMs, () => giveUp(`no answer within ${answerMs / 1000} s`));
    });
    child.once('error', (error) => {
      timer.clear();
      resolve({ ok: false, cause: 'no-child', detail: error.message });
    });
    child.once('close', (code, signal) => {
      timer.clear();
      resolve(parseAnswer(output()) ?? noAnswer(code, signal, complaint()));
    });
    const channel = child.stdio?.[HANDSHAKE_FD];
    if (channel instanceof Duplex) answerChallenge(channel);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(`${JSON.stringify(request)}\n`);
  });
}

/**
 * Runs `act` when the time is over. The extra turn lets input that arrived while this process was paused be
 * read first.
 */
function limit(ms: number, act: () => void): { clear(): void } {
  let last: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    last = setImmediate(act);
  }, ms);
  return {
    clear: () => {
      clearTimeout(timer);
      clearImmediate(last);
    },
  };
}

function startChild(options: KeychainChildOptions): KeychainChild | KeychainAnswer {
  // Electron that does not run as Node would open the host's application a second time.
  if (options.insideElectron === true && (options.environment.ELECTRON_RUN_AS_NODE ?? '') === '') {
    return { ok: false, cause: 'no-child', detail: 'the built-in Node of this host starts no processes' };
  }
  const start = options.start ?? spawn;
  try {
    return start(options.execPath, [options.entryFile, KEYCHAIN_CHILD_ARGUMENT], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      env: withoutCredentials(options.environment),
      windowsHide: true,
    });
  } catch (error) {
    return { ok: false, cause: 'no-child', detail: error instanceof Error ? error.message : String(error) };
  }
}

function withoutCredentials(environment: KeychainChildOptions['environment']): Record<string, string> {
  const childEnvironment: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !name.toUpperCase().startsWith('SELLER_')) childEnvironment[name] = value;
  }
  return childEnvironment;
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
