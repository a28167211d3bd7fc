/** When the process is asked, and when it is made, to end; the process is the test's. */

import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStopSignals, GRACE_MS } from '../../../../src/program/commands/line/stop-signals.ts';

class PlayedProcess extends EventEmitter {
  readonly pid = 4_711;
  readonly kill = vi.fn();
  work: string[] = [];
  getActiveResourcesInfo = () => this.work;
}

const open = () => {
  const process = new PlayedProcess();
  const messages: string[] = [];
  return { process, messages, stops: createStopSignals(process, (text) => messages.push(text)) };
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('leaves both signals to the system until somebody asks for them', () => {
  const { process, stops } = open();
  expect(process.eventNames()).toEqual([]);
  expect(stops.signal.aborted).toBe(false);
  expect(stops.signal).toBe(stops.signal);
  expect(process.listenerCount('SIGINT')).toBe(1);
  expect(process.listenerCount('SIGTERM')).toBe(1);
});

it.each(['SIGINT', 'SIGTERM'])(
  '%s asks first and, when the time is over, ends the process by itself',
  (name) => {
    const { process, messages, stops } = open();
    const { signal } = stops;
    process.emit(name);
    expect(signal.aborted).toBe(true);
    // A second one of its kind is the system's.
    expect(process.listenerCount(name)).toBe(0);
    vi.advanceTimersByTime(GRACE_MS - 1);
    expect(process.kill).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(process.kill).toHaveBeenCalledExactlyOnceWith(4_711, name);
    expect(process.eventNames()).toEqual([]);
    expect(messages).toEqual(['Stopped before everything was finished.\n']);
  },
);

it('gives a server the time that it was promised', () => {
  const { process, stops } = open();
  expect(stops.signal.aborted).toBe(false);
  stops.graceMs = 3_000;
  process.emit('SIGTERM');
  vi.advanceTimersByTime(2_999);
  expect(process.kill).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(process.kill).toHaveBeenCalledOnce();
});

it('exits at once where nothing was asked for, and gives the signals back', () => {
  const { process, stops } = open();
  expect(stops.signal.aborted).toBe(false);
  process.work = ['FSReqPromise'];
  const exit = vi.fn();
  stops.leave(exit);
  expect(exit).toHaveBeenCalledOnce();
  expect(process.eventNames()).toEqual([]);
});

it.each(['FSReqPromise', 'FSReqCallback', 'GetAddrInfoReqWrap'])(
  'after a signal does not exit into %s, which Node would wait for',
  (work) => {
    const { process, stops } = open();
    expect(stops.signal.aborted).toBe(false);
    process.work = ['TTYWrap', work];
    process.emit('SIGINT');
    const exit = vi.fn();
    stops.leave(exit);
    vi.advanceTimersByTime(100);
    expect(exit).not.toHaveBeenCalled();
    process.work = ['TTYWrap', 'TCPSocketWrap'];
    vi.advanceTimersByTime(100);
    expect(exit).toHaveBeenCalledOnce();
  },
);
