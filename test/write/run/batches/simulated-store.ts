/** A real store in simulated time: each process asks it in steps of its own and can be cut off in them, it can be away, and what it holds can be replaced by what it held. */

import { Redis } from 'ioredis';
import type { Script } from '../../../../src/replicas/script.ts';
import { type SharedStore, StoreAway } from '../../../../src/replicas/shared-store.ts';
import { type FakeClock, settled } from '../../../helpers/fake-clock.ts';
import { startRedis, stopAllRedis } from '../../../helpers/redis.ts';
import type { Process } from './simulated.ts';

/** What is on its way in real time, while the simulated one stands still. */
const underWay = new Set<Promise<unknown>>();

export async function settledAll(): Promise<void> {
  await settled();
  while (underWay.size > 0) {
    await Promise.allSettled([...underWay]);
    await settled();
  }
}

export interface SimulatedStore {
  /** As one process sees it. */
  of(process: Process, random: () => number): SharedStore;
  /** Which commands get no answer. */
  isAway(): boolean;
  /** Which server it is by now, and which contents it has by its own account. */
  server: string;
  generation: string;
  /** Called before each command with its number, for what no program of ours does. */
  meanwhile(command: number): Promise<unknown> | undefined;
}

/** The clock and the server of the scripts are those of the simulation. */
function simulated({ lua }: Script): string {
  const [clock, server] = [`redis.call('TIME')`, 'process .. history'];
  const changed = lua.replace(clock, '{ KEYS[#KEYS - 1], KEYS[#KEYS] }').replace(server, 'KEYS[#KEYS - 2]');
  if (lua.includes('INFO') && !changed.includes('local server = KEYS'))
    throw new Error('The script tells servers apart in another way than the simulation knows.');
  return changed;
}

const clients: Redis[] = [];

/** A client of a real store that nothing else uses. */
export async function startServer(): Promise<Redis> {
  const { port } = await startRedis();
  const client = new Redis({ port, host: '127.0.0.1' });
  clients.push(client);
  return client;
}

export async function stopServers(): Promise<void> {
  for (const client of clients.splice(0)) client.disconnect();
  await stopAllRedis();
}

/** Empty. @param client of a real one that nothing else uses */
export async function simulatedStore(client: Redis, clock: FakeClock): Promise<SimulatedStore> {
  await client.flushall();
  let commands = 0;
  const store: SimulatedStore = {
    isAway: () => false,
    server: 'first',
    generation: 'one',
    meanwhile: () => undefined,
    of(process, random) {
      const evaluate = async (step: Script, keys: readonly string[], args: readonly (string | number)[]) => {
        await store.meanwhile(++commands);
        const us = clock.wallClock() * 1000;
        const all = [...keys, store.server, Math.floor(us / 1e6), us % 1e6];
        const isTimed = /TIME|INFO/.test(step.lua);
        const own = isTimed ? all : keys;
        return client.eval(simulated(step), own.length, ...own, ...args);
      };
      const begin = (...of: Parameters<typeof evaluate>): Promise<unknown> => {
        const work = evaluate(...of);
        const done = work.catch(() => undefined).finally(() => underWay.delete(done));
        underWay.add(done);
        return work;
      };
      return {
        async run(step, keys, args) {
          let work: Promise<unknown> | undefined;
          const isAway = await process.step((isCut) => {
            const isLost = store.isAway();
            // What gets no answer may have been done all the same, also later.
            if ((isCut || isLost) && random() < 0.3) return isLost;
            if (isLost && random() < 0.5) {
              clock.after(random() * 5_000, () => void begin(step, keys, args).catch(() => undefined));
              return isLost;
            }
            work = begin(step, keys, args);
            return isLost;
          });
          if (isAway) {
            await work?.catch(() => undefined);
            throw new StoreAway('no answer');
          }
          return work;
        },
        look: () => process.step(() => undefined),
        get generation() {
          return store.generation;
        },
        isHere: true,
        now: () => clock.wallClock() * 1000,
        lostAt: 0,
        bornAt: 0,
        replicas: { count: 1, own: 0 },
        share: 1,
        isLost: false,
        close: async () => undefined,
      };
    },
  };
  return store;
}
