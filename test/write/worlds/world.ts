/** Runs one world: programs on one computer, the service, and the steps that happen in it, each as data. */

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Computer, type Countdown, outside, type Process } from './computer.ts';
import { type Approval, type Asked, isFeed, Knowledge } from './knowledge.ts';
import { type Answer, feedArguments, type Program, startProgram } from './program.ts';
import { createService, isStore, type Member, type Mood, type Service, type Value } from './service.ts';

const MINUTE_MS = 60_000;
/** A call that has not ended by then hangs. */
const HANGS_MS = 30 * MINUTE_MS;

/**
 * Describes how a call is made: by which program, what the user answers and when, and how long the world
 * waits for its end.
 */
export interface Manner {
  by: 0 | 1;
  yes: boolean;
  thinkMs: number;
  waitMs: number;
}

type Values = Partial<Record<Member, Value>>;

/** Selects what of a list is undone: all, its first two things, or its first alone. */
export type Part = 'whole' | 'some' | 'one';

export type Step =
  | ({ do: 'list'; items: { sku: string; set: Values }[] } & Manner)
  | ({ do: 'feed'; items: { sku: string; price: number; minimum: number }[] } & Manner)
  | { do: 'restart'; ms: number }
  | ({ do: 'stores'; stores: string[]; set: Values } & Manner)
  | ({ do: 'undo'; nth: number; part: Part; force: boolean } & Manner)
  | ({ do: 'resume' | 'stop'; nth: number } & Manner)
  | { do: 'other' | 'sale'; thing: string; member: Member; value: Value; late: boolean }
  | { do: 'refuse'; thing: string; isOn: boolean }
  | { do: 'wait'; ms: number }
  /** Kills a process after so many of its steps or writes. */
  | { do: 'kill'; by: 0 | 1; after: Countdown }
  | { do: 'freeze'; by: 0 | 1; after: Countdown; ms: number };

interface Running {
  process: Process;
  isOver: boolean;
}

/** Tells whether a call is over, because one in a killed process never gets an answer. */
const isOver = (one: Running): boolean => one.isOver || one.process.isKilled();

export class World {
  readonly knowledge: Knowledge;
  readonly #computer: Computer;
  readonly #service: Service;
  readonly #folder = mkdtempSync(join(inject('scratch'), 'world-'));
  readonly #programs: (Program | undefined)[] = [];
  readonly #callMs: number;
  #running: Running[] = [];

  constructor(computer: Computer, mood: Mood) {
    this.#computer = computer;
    this.#callMs = mood.callMs;
    this.knowledge = new Knowledge(computer.clock.now);
    this.#service = createService(mood, computer.clock.now, (arrival) => this.knowledge.arrives(arrival));
    this.knowledge.watch(this.#service);
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'list':
        return this.#call('change_listings', { items: step.items }, step);
      case 'feed':
        return this.#call('write_operation', feedArguments(step.items), step);
      case 'restart':
        return this.#service.restart(step.ms);
      case 'stores': {
        const { alias, timezone } = step.set;
        const changes = {
          ...(alias !== undefined && { alias }),
          ...(timezone !== undefined && { configuration: { timezone } }),
        };
        return this.#call('update_supply_source', { supplySourceIds: step.stores, changes }, step);
      }
      case 'undo':
        return this.#undo(step);
      case 'resume':
        return this.#again(step, {});
      case 'stop':
        return this.#again(step, { stop: true });
      case 'other':
      case 'sale': {
        const delays = step.late ? this.#service.delays() : [0, 0];
        this.#service.set(step.thing, step.member, step.value, step.do, delays);
        return;
      }
      case 'refuse':
        this.#service.refused[step.isOn ? 'add' : 'delete'](step.thing);
        return;
      case 'wait':
        return this.#computer.clock.advance(step.ms);
      case 'kill':
        return this.#cut(step, (process) => process.kill());
      case 'freeze':
        return this.#cut(step, (process) => {
          process.freeze();
          void this.#computer.clock.sleep(step.ms).then(() => process.thaw());
        });
    }
  }

  /** Resumes each unfinished list until its outcomes are reported. */
  async end(): Promise<void> {
    this.#service.calm();
    await this.#until(() => this.#running.every(isOver));
    const manner = { by: 0, yes: true, thinkMs: 0, waitMs: HANGS_MS } as const;
    for (const approval of this.knowledge.approvals) {
      for (let turn = 0; turn < 10 && this.#isOpen(approval); turn++) {
        await this.#repeat(approval, {}, manner);
        // A list stays paused for minutes when the process that asked to undo it was killed.
        if (this.#isOpen(approval)) await this.#computer.clock.advance(2 * MINUTE_MS);
      }
    }
    this.knowledge.isOver();
  }

  close(): void {
    for (const program of this.#programs) program?.process.kill();
  }

  #isOpen({ isList, rows, told }: Approval): boolean {
    return isList && [...rows.keys()].some((thing) => !told.has(thing));
  }

  async #program(by: 0 | 1): Promise<Program> {
    const known = this.#programs[by];
    if (known !== undefined && !known.process.isKilled()) return known;
    const made = await this.#ended(startProgram(this.#folder, this.#service, this.#callMs));
    if (made === undefined) throw new Error('A program does not start');
    this.#programs[by] = made;
    return made;
  }

  async #call(
    name: string,
    args: Record<string, unknown>,
    manner: Manner,
    more: Partial<Asked> = {},
  ): Promise<void> {
    const { by, yes, thinkMs, waitMs } = manner;
    const program = await this.#program(by);
    // A chat makes one call at a time.
    await this.#until(() => this.#running.every((one) => one.process !== program.process || isOver(one)));
    if (program.process.isKilled()) return;
    const { now } = this.#computer.clock;
    const { confirmationCode: _code, stop: _stop, ...same } = args;
    const { pid } = program.process;
    const key = JSON.stringify([name, same]);
    const asked: Asked = { key, pid, begunAt: now(), isForced: false, ...more };
    const running: Running = { process: program.process, isOver: false };
    this.#running.push(running);
    const answered = program.call(name, args, async (question) => {
      const rows = this.knowledge.isShown(asked, question);
      await outside(() => this.#computer.clock.sleep(thinkMs + 1));
      if (yes) this.knowledge.isApproved(asked, rows, question);
      return yes;
    });
    const reported = answered.then(
      (answer: Answer) => void this.knowledge.isTold(asked, answer),
      (error: unknown) => this.knowledge.wrong.push(`${name} failed: ${error}`),
    );
    void reported.finally(() => {
      running.isOver = true;
    });
    await this.#until(() => isOver(running), waitMs);
  }

  async #undo({ nth, part, force, ...manner }: Step & { do: 'undo' }): Promise<void> {
    const known = this.knowledge.approvals.filter(({ id, asked }) => id !== undefined && !isFeed(asked));
    const of = known.at(-1 - (nth % Math.max(1, known.length)));
    if (of?.id === undefined) return;
    const all = [...of.rows.keys()];
    const things = part === 'whole' || !of.isList ? undefined : all.slice(0, part === 'one' ? 1 : 2);
    const isByPath = part === 'one' && of.isList && all.every((thing) => !isStore(thing));
    const args = {
      id: isByPath ? `${of.id}/${things}` : of.id,
      ...(!isByPath && things && { skus: things }),
      ...(force && { force }),
    };
    await this.#call('undo_change', args, manner, { undoes: { of, things }, isForced: force });
  }

  async #again({ nth, ...manner }: { nth: number } & Manner, more: object): Promise<void> {
    const lists = this.knowledge.approvals.filter(
      ({ isList, id, asked }) => isList && id !== undefined && !isFeed(asked),
    );
    const approval = lists.at(-1 - (nth % Math.max(1, lists.length)));
    if (approval !== undefined) await this.#repeat(approval, more, manner);
  }

  async #repeat({ id, asked }: Approval, more: object, manner: Manner): Promise<void> {
    const [name, args]: [string, Record<string, unknown>] = JSON.parse(asked.key);
    // The same call goes on with a feed.
    const again = isFeed(asked) ? args : { confirmationCode: id, ...more };
    await this.#call(name, again, manner, asked);
  }

  /** Cuts a process off; outcomes may be unknown from then on. */
  async #cut(
    { by, after }: { by: 0 | 1; after: Countdown },
    work: (process: Process) => void,
  ): Promise<void> {
    const { process } = await this.#program(by);
    process.cutAfter(after, () => {
      this.knowledge.unsureSince = Math.min(this.knowledge.unsureSince, this.#computer.clock.now());
      outside(() => work(process));
    });
  }

  async #until(holds: () => boolean, waitMs = HANGS_MS): Promise<void> {
    const held = await this.#computer.until(holds, waitMs);
    if (!held && waitMs === HANGS_MS) this.knowledge.wrong.push('A call comes to no end');
    this.#running = this.#running.filter((one) => !isOver(one));
  }

  async #ended<T>(work: Promise<T>): Promise<T | undefined> {
    let made: { value: T } | undefined;
    void work.then((value) => {
      made = { value };
    });
    await this.#until(() => made !== undefined);
    return made?.value;
  }
}
