/**
 * Simulates several processes of one computer within this process: time is simulated, and each process can be
 * frozen or killed at any step that it waits for.
 */

import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import fs from 'node:fs';
import fsPromises, { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { type FakeClock, fakeClock } from '../../helpers/fake-clock.ts';

/** Holds the simulated process that the current code runs in. */
const current = new AsyncLocalStorage<Process | undefined>();
/** Starts a range of process IDs that no process of the system has. */
const FIRST_PID = 5_000_000;
/** The file system's clock stands still for up to so many milliseconds. */
const COARSE_MS = 5;

let inFlight = 0;
const processes = new Map<number, Process>();

/** Counts what a process still does before it is cut off. A write counts when its first byte is about to leave. */
export interface Countdown {
  of: 'step' | 'write';
  count: number;
}

export class Process {
  readonly pid = FIRST_PID + processes.size;
  #state: 'runs' | 'frozen' | 'killed' = 'runs';
  #waiting: (() => void)[] = [];
  #left: Countdown = { of: 'step', count: Number.POSITIVE_INFINITY };
  #cut = () => {};
  readonly #handles = new Set<FileHandle>();

  constructor() {
    processes.set(this.pid, this);
  }

  isKilled(): boolean {
    return this.#state === 'killed';
  }

  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /** Ends the process: none of its steps run any more, and the system closes its files. */
  kill(): void {
    this.#state = 'killed';
    this.#waiting = [];
    for (const handle of this.#handles) void handle.close().catch(() => undefined);
  }

  freeze(): void {
    if (this.#state === 'runs') this.#state = 'frozen';
  }

  thaw(): void {
    if (this.#state !== 'frozen') return;
    this.#state = 'runs';
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Calls `cut` after so many steps, in the middle of whatever the process does, or so many writes. */
  cutAfter(left: Countdown, cut: () => void): void {
    this.#left = { ...left };
    this.#cut = cut;
  }

  /** Counts a step or a write that is about to happen. */
  count(one: Countdown['of']): void {
    if (one === this.#left.of && this.#left.count-- === 0) this.#cut();
  }

  /** Runs a step: at once, when the process is thawed, or never. */
  fire(work: () => void): void {
    this.count('step');
    if (this.#state === 'runs') work();
    else if (this.#state === 'frozen') this.#waiting.push(work);
  }

  /** Resolves as `fire` does. */
  gate(): Promise<void> {
    return new Promise((resolve) => this.fire(resolve));
  }

  /** Runs work outside the process, which begins it in one step and gets its result in another. */
  async through<T>(work: () => Promise<T>): Promise<T> {
    await this.gate();
    try {
      return await outside(work);
    } finally {
      await this.gate();
    }
  }

  #hold(handle: FileHandle): void {
    this.#handles.add(handle);
    const close = handle.close.bind(handle);
    handle.close = () => {
      this.#handles.delete(handle);
      return current.getStore() === undefined ? close() : this.io(close);
    };
  }

  /** Runs work of the system as `through` does, while time stands still. */
  io<T>(work: () => Promise<T>): Promise<T> {
    return this.through(async () => {
      inFlight += 1;
      try {
        const made = await work();
        if (isHandle(made)) this.#hold(made);
        return made;
      } finally {
        inFlight -= 1;
      }
    });
  }
}

/** Runs work in no simulated process. */
export const outside = <T>(work: () => T): T => current.run(undefined, work);

const isHandle = (made: unknown): made is FileHandle => made instanceof Object && 'fd' in made;

export interface Computer {
  clock: FakeClock;
  /** Lets time pass until it holds. @returns whether it does */
  until(holds: () => boolean, mostMs: number): Promise<boolean>;
  /** Restores everything that was replaced. */
  end(): void;
}

/** Replaces the clocks, timers, files and process IDs of this thread until `end`. */
export async function startComputer(): Promise<Computer> {
  const turn = setImmediate;
  const clock = fakeClock(async () => {
    for (let idle = 0; idle < 4; idle = inFlight > 0 ? 0 : idle + 1)
      await new Promise<void>((resolve) => turn(resolve));
  });
  const undo: (() => void)[] = [];
  const put = (target: object, name: string, descriptor: PropertyDescriptor) => {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { configurable: true, ...descriptor });
    undo.push(() =>
      before === undefined
        ? Reflect.deleteProperty(target, name)
        : Object.defineProperty(target, name, before),
    );
  };
  const set = (target: object, name: string, value: unknown) => put(target, name, { writable: true, value });
  const toWall = setClocks(clock, set);
  await setFiles(toWall, set);
  const { pid } = process;
  put(process, 'pid', { get: () => current.getStore()?.pid ?? pid });
  const { kill } = process;
  set(process, 'kill', (number: number, signal: number) => {
    if (number < FIRST_PID) return kill(number, signal);
    if (processes.get(number)?.isKilled() === false) return true;
    throw Object.assign(new Error('There is no such process'), { code: 'ESRCH' });
  });
  syncBuiltinESMExports();
  return {
    clock,
    async until(holds, mostMs) {
      const end = clock.now() + mostMs;
      for (;;) {
        await clock.advance(0);
        const left = end - clock.now();
        if (holds() || left <= 0) return holds();
        await clock.advance(Math.min(left, clock.untilNext()));
      }
    },
    end() {
      for (const one of undo.reverse()) one();
      syncBuiltinESMExports();
    },
  };
}

type Put = (target: object, name: string, value: unknown) => void;

/** Replaces the clocks and timers. @returns the simulated time of a moment of the system's clock */
function setClocks(clock: FakeClock, set: Put): (realMs: number) => number {
  const RealDate = Date;
  const realNow = Date.now;
  const passed: { real: number; wall: number }[] = [];
  const note = () => {
    const wall = clock.wallClock();
    if (passed.at(-1)?.wall !== wall) passed.push({ real: realNow(), wall });
    return wall;
  };
  note();
  const timers = new Map<unknown, () => void>();
  const begin = (run: (...args: unknown[]) => void, ms: unknown, args: unknown[], isAgain: boolean) => {
    const own = current.getStore();
    const bound = AsyncResource.bind(() => run(...args));
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true };
    const arm = () => timers.set(timer, clock.after(Math.max(1, Number(ms) || 0), fire));
    const fire = () => {
      note();
      if (isAgain) arm();
      else timers.delete(timer);
      if (own === undefined) bound();
      else own.fire(bound);
    };
    arm();
    return timer;
  };
  const end = (timer: unknown) => {
    timers.get(timer)?.();
    timers.delete(timer);
  };
  set(globalThis, 'setTimeout', (run: () => void, ms: unknown, ...args: unknown[]) =>
    begin(run, ms, args, false),
  );
  set(globalThis, 'setInterval', (run: () => void, ms: unknown, ...args: unknown[]) =>
    begin(run, ms, args, true),
  );
  const turn = setImmediate;
  // Code that yields with `setImmediate` goes on before any time passes.
  set(globalThis, 'setImmediate', (run: (...args: unknown[]) => void, ...args: unknown[]) => {
    inFlight += 1;
    return turn(() => {
      inFlight -= 1;
      run(...args);
    });
  });
  set(globalThis, 'clearTimeout', end);
  set(globalThis, 'clearInterval', end);
  set(
    timersPromises,
    'setTimeout',
    (ms: number) => new Promise<void>((resolve) => begin(() => resolve(), ms, [], false)),
  );
  set(performance, 'now', clock.now);
  const FakeDate = new Proxy(RealDate, {
    construct: (Target, args, newTarget) =>
      Reflect.construct(Target, args.length === 0 ? [clock.wallClock()] : args, newTarget),
    get: (target, name) => (name === 'now' ? clock.wallClock : Reflect.get(target, name)),
  });
  set(globalThis, 'Date', FakeDate);
  return (realMs) => (passed.findLast(({ real }) => real <= realMs + COARSE_MS) ?? passed[0])?.wall ?? 0;
}

const OF_HANDLES = [
  'appendFile',
  'datasync',
  'read',
  'readFile',
  'stat',
  'sync',
  'truncate',
  'write',
  'writeFile',
];
const NOT_IO = ['constants', 'watch', 'glob'];

/** Makes each file operation a step, so that its process can be cut off before and after it. */
async function setFiles(toWall: (realMs: number) => number, set: Put): Promise<void> {
  const wrap = (target: object, names: readonly string[]) => {
    for (const name of names) {
      const work: unknown = Reflect.get(target, name);
      if (typeof work !== 'function') continue;
      set(target, name, function (this: unknown, ...args: unknown[]) {
        const own = current.getStore();
        const begin = () => Reflect.apply(work, this, args);
        return own === undefined ? begin() : own.io(begin);
      });
    }
  };
  const { stat } = fsPromises;
  set(fsPromises, 'stat', async (path: string) => {
    const found = await stat(path);
    found.mtimeMs = toWall(found.mtimeMs);
    return found;
  });
  wrap(
    fsPromises,
    Object.keys(fsPromises).filter((name) => !NOT_IO.includes(name)),
  );
  const handle = await open(process.execPath);
  const shared: unknown = Object.getPrototypeOf(handle);
  await handle.close();
  if (shared instanceof Object) wrap(shared, OF_HANDLES);
  const { readFileSync } = fs;
  // The file tells the start of a process, which distinguishes it from a later one with the same ID.
  set(fs, 'readFileSync', (path: string, ...more: unknown[]) => {
    const [, pid] = /^\/proc\/(\d+)\/stat$/.exec(String(path)) ?? [];
    if (pid === undefined || Number(pid) < FIRST_PID) return Reflect.apply(readFileSync, fs, [path, ...more]);
    return `${pid} (node) ${'S '.repeat(19)}${pid}`;
  });
}
