/** The parent's side of the keychain child, with a child that the test plays: what it is given, and how it may end. */

import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type KeychainChild,
  type KeychainChildOptions,
  requestKeychain,
} from '../../../src/accounts/keychain/request-keychain.ts';

class PlayedChild extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly kill = vi.fn(() => true);

  say(text: string): void {
    this.stdout.write(text);
  }

  /** Ends the process the way Node reports it: after the last of the output. */
  async end(code: number | null, signal: NodeJS.Signals | null = null): Promise<void> {
    await turn();
    this.emit('close', code, signal);
  }

  async request(): Promise<string> {
    await turn();
    return String(this.stdin.read());
  }
}

/** Long enough for streams to hand on what was written; timers are the test's own. */
const turn = async () => {
  for (let count = 0; count < 5; count += 1) await new Promise((resolve) => process.nextTick(resolve));
};

function ask(options: Partial<KeychainChildOptions> = {}) {
  const child = new PlayedChild();
  const start = vi.fn((..._: Parameters<NonNullable<KeychainChildOptions['start']>>): KeychainChild => child);
  const answer = requestKeychain(
    { execPath: '/bin/node', entryFile: '/app/main.mjs', environment: {}, start, ...options },
    { op: 'read', entry: 'account:a' },
  );
  return { child, start, answer };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('what the child is given', () => {
  it('is this program as keychain child, and the request as one line', async () => {
    const { child, start, answer } = ask();
    expect(start).toHaveBeenCalledExactlyOnceWith(
      '/bin/node',
      ['/app/main.mjs', 'keychain-child'],
      expect.objectContaining({ stdio: ['pipe', 'pipe', 'pipe', 'pipe'], windowsHide: true }),
    );
    expect(await child.request()).toBe('{"op":"read","entry":"account:a"}\n');
    child.say('\n{"ok":true,"value":"x"}\n');
    await child.end(0);
    expect(await answer).toEqual({ ok: true, value: 'x' });
  });

  it('is the environment without any of the program’s own variables, however they are written', () => {
    const { start } = ask({
      environment: {
        PATH: '/bin',
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
        NOT_GIVEN: undefined,
        SELLER_CLIENT_SECRET: 'canary',
        SELLER_REFRESH_TOKEN: 'canary',
        seller_client_id: 'canary',
      },
    });
    expect(start.mock.calls[0]?.[2].env).toEqual({
      PATH: '/bin',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
    });
  });
});

describe('a child that cannot be started', () => {
  it('is told with the reason, thrown or emitted', async () => {
    const thrown = ask({
      start: () => {
        throw new Error('EACCES');
      },
    });
    expect(await thrown.answer).toEqual({ ok: false, cause: 'no-child', detail: 'EACCES' });
    const emitted = ask();
    emitted.child.emit('error', new Error('spawn ENOENT'));
    expect(await emitted.answer).toEqual({ ok: false, cause: 'no-child', detail: 'spawn ENOENT' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not tried inside Electron, unless that runs as Node', async () => {
    const inside = ask({ insideElectron: true, environment: { ELECTRON_RUN_AS_NODE: '' } });
    expect(await inside.answer).toMatchObject({ ok: false, cause: 'no-child' });
    expect(inside.start).not.toHaveBeenCalled();
    expect(ask({ insideElectron: true }).start).not.toHaveBeenCalled();
    const asNode = ask({ insideElectron: true, environment: { ELECTRON_RUN_AS_NODE: '1' } });
    expect(asNode.start).toHaveBeenCalledOnce();
  });
});

describe('a child that ends', () => {
  it('with an answer in pieces is heard whole', async () => {
    const { child, answer } = ask();
    child.say('\n{"ok":false,"cause":"lo');
    await turn();
    child.say('cked","detail":"d"}\n');
    await child.end(1);
    expect(await answer).toEqual({ ok: false, cause: 'locked', detail: 'd' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['', 1, null, 'code 1'],
    ['{"ok":"yes"}', null, null, 'code unknown'],
    ['{"ok":false,"cause":"of a later version","detail":""}', 3, null, 'code 3'],
    ['{"ok":false,"cause":"locked"}', 0, null, 'code 0'],
    ['[]', null, 'SIGSEGV', 'signal SIGSEGV'],
  ] as const)('without an answer of ours (%s) has failed', async (output, code, signal, how) => {
    const { child, answer } = ask();
    child.say(output);
    await child.end(code, signal);
    expect(await answer).toEqual({
      ok: false,
      cause: 'failed',
      detail: `the helper process ended with ${how}`,
    });
  });

  it('is quoted with the first line of its complaint, 200 characters at most', async () => {
    const { child, answer } = ask();
    child.stderr.write(` Segfault\nat ${'x'.repeat(300)}`);
    await child.end(1);
    expect(await answer).toMatchObject({ detail: 'the helper process ended with code 1: Segfault' });
    const long = ask();
    long.child.stderr.write('y'.repeat(150));
    await turn();
    long.child.stderr.write('y'.repeat(150));
    await long.child.end(1);
    expect(await long.answer).toMatchObject({
      detail: `the helper process ended with code 1: ${'y'.repeat(200)}`,
    });
  });

  it('while its pipes break is no failure of ours', async () => {
    const { child, answer } = ask();
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.emit('error', new Error('EPIPE'));
    await child.end(1);
    expect(await answer).toMatchObject({ cause: 'failed' });
  });
});

describe('time', () => {
  it('for the answer counts from when the child has started, not from when it was asked for', async () => {
    const { child, answer } = ask();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(child.kill).not.toHaveBeenCalled();
    child.say('\n');
    await turn();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(child.kill).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    expect(child.kill).toHaveBeenCalledExactlyOnceWith('SIGKILL');
    expect(await answer).toEqual({ ok: false, cause: 'timed-out', detail: 'no answer within 5 s' });
  });

  it('for the answer can be set', async () => {
    const { child, answer } = ask({ timeoutMs: 800 });
    child.say('\n');
    await turn();
    await vi.advanceTimersByTimeAsync(801);
    expect(await answer).toMatchObject({ cause: 'timed-out', detail: 'no answer within 0.8 s' });
    expect(child.kill).toHaveBeenCalledOnce();
  });

  it('for the start is four times as long', async () => {
    const { child, answer } = ask({ timeoutMs: 800 });
    await vi.advanceTimersByTimeAsync(19_999);
    expect(child.kill).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    expect(child.kill).toHaveBeenCalledExactlyOnceWith('SIGKILL');
    expect(await answer).toEqual({
      ok: false,
      cause: 'timed-out',
      detail: 'the helper process did not start within 20 s',
    });
  });

  it('is not over when the answer lies in the pipe: this process itself may have stood still', async () => {
    const { child, answer } = ask({ timeoutMs: 800 });
    child.say('\n');
    await turn();
    vi.advanceTimersByTime(800);
    // The timer has fired; the event loop reads the pipe before it acts on it.
    child.say('{"ok":true}\n');
    await turn();
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toEqual({ ok: true });
  });

  it('is not over either when the child has ended meanwhile', async () => {
    const { child, answer } = ask({ timeoutMs: 800 });
    child.say('\n{"ok":true}\n');
    await turn();
    vi.advanceTimersByTime(800);
    await child.end(0);
    expect(await answer).toEqual({ ok: true });
    await vi.advanceTimersByTimeAsync(10);
    expect(child.kill).not.toHaveBeenCalled();
  });
});
