/**
 * Models what was approved, what each caller may know of the values at the service, and what therefore may be
 * sent, shown and reported.
 */

import type { Answer } from './program.ts';
import { isLeftOut, type ReportedAnswer, type Rows, readAnswer, readQuestion } from './question.ts';
import { type Arrival, MEMBERS, type Member, type Service, type Value, type Write } from './service.ts';

/** Describes a call that changes something. */
export interface Asked {
  /** Identifies the call, because a later one with the same arguments is the same. */
  key: string;
  begunAt: number;
  /** Identifies the process that was asked: of two approvals of the same, each process sends its own. */
  pid: number;
  isForced: boolean;
  /** Names the approval that an undo restores, and the things of it; all where these are left out. */
  undoes?: { of: Approval; things?: readonly string[] } | undefined;
}

/** Records one approval, and the outcomes of its items. */
export interface Approval {
  asked: Asked;
  rows: Rows;
  question: string;
  at: number;
  /** Is true once an undo was reported to its end. */
  isUndone: boolean;
  /** Identifies the list, or the entry of a single write; undefined until an answer names it. */
  id?: string | undefined;
  isList: boolean;
  arrived: Map<string, Arrival>;
  told: Map<string, string>;
  /** Holds the value that each changed member had before. */
  before: Map<string, Value>;
}

/**
 * Allows for writes of others between the last read and the arrival, because a read counts for half a minute
 * and the write then waits for its slot.
 */
const RACE_MS = 120_000;
/** A write that waits for its place under the limit leaves within this time after it was last compared. */
const STALE_MS = 60_000;
/** A call joins a reading that began at most this long ago. */
const READING_MS = 600_000;
const SENT = ['accepted', 'accepted_not_visible', 'requested'];
const NOT_SENT = ['not_sent', 'changed_since'];

export class Knowledge {
  readonly approvals: Approval[] = [];
  /** Lists violations of the model; the run ends at the first. */
  readonly wrong: string[] = [];
  /** Marks the time since when outcomes may be unknown, because a process was killed or frozen. */
  unsureSince = Number.POSITIVE_INFINITY;
  /** Lists when calls began that ended before they had read all: a later call joins what they read. */
  readonly #readings: number[] = [];
  readonly #now: () => number;
  #service: Service | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  watch(service: Service): void {
    this.#service = service;
  }

  /**
   * Checks that the first value of each row of a question is one that a read has shown since the call began.
   */
  isShown(asked: Asked, question: string): Rows {
    const rows = readQuestion(question);
    const since = this.#readSince(asked);
    for (const [thing, member, { now }] of membersOf(rows)) {
      const shown = this.#shownSince(thing, member, since);
      if (now !== undefined && !shown.has(now))
        this.#fail(`${thing} ${member} is asked about as ${now}, and reads show ${[...shown]}`);
    }
    return rows;
  }

  isApproved(asked: Asked, rows: Rows, question: string): void {
    const at = this.#now();
    this.approvals.push({
      asked,
      rows,
      question,
      at,
      isUndone: false,
      isList: false,
      arrived: new Map(),
      told: new Map(),
      before: new Map(),
    });
  }

  /** Checks that each write that arrives was approved, arrives once, and overwrites nothing of others. */
  arrives(arrival: Arrival): void {
    const { thing, values } = arrival;
    const shows = ({ asked, rows, arrived }: Approval) =>
      isFeed(asked) === arrival.isFeed &&
      !arrived.has(thing) &&
      rows.has(thing) &&
      [...(rows.get(thing) ?? [])].every(([member, { next }]) => values.get(member) === next);
    const explains = ({ rows }: Approval) =>
      [...values].every(
        ([member, value]) => rows.get(thing)?.has(member) || this.#last(thing, member).value === value,
      );
    const shown = this.approvals.filter(shows);
    const isOwn = (one: Approval) => one.asked.pid === arrival.pid && explains(one);
    const approval = shown.findLast(isOwn) ?? shown.findLast(explains) ?? shown.at(-1);
    if (approval === undefined) {
      this.#fail(`${thing} was sent ${JSON.stringify([...values])}, and no approved question shows that`);
      return;
    }
    approval.arrived.set(thing, arrival);
    const reported = approval.told.get(thing);
    if (reported !== undefined && reported !== 'unknown')
      this.#fail(`${thing} was sent after it was told as ${reported}`);
    // The question of a feed says that it is not compared with what is there.
    if (arrival.isFeed) return;
    for (const [member, value] of values) {
      const row = approval.rows.get(thing)?.get(member);
      const last = this.#last(thing, member);
      if (row !== undefined && arrival.isAccepted) approval.before.set(`${thing} ${member}`, last.value);
      if (last.value === value) continue;
      if (this.#isOutdated(last, approval, thing))
        this.#fail(
          `${thing} ${member} is sent as ${value}, and a newer approval had set ${last.value} long before`,
        );
      if (row === undefined && this.#isMeant(last, thing, member) && !this.#isRace(last, approval, arrival))
        this.#fail(`${thing} ${member} is sent back as ${value}, and we had set ${last.value}`);
      if (isOthers(last) && this.#seenAt(member, last) + RACE_MS < this.#now() && row?.now !== last.value)
        this.#fail(`${thing} ${member} is overwritten: ${last.value} was seen for long`);
      if (approval.asked.undoes !== undefined && !approval.asked.isForced) {
        const known = this.#knownAt(thing, member, approval.asked.begunAt);
        const ours = this.#sets(thing, member).findLast(({ by }) => by === 'us');
        // A value that equals the one that we set may be ours, because nobody can tell.
        const isTheirs = known !== undefined && isOthers(known) && known.value !== ours?.value;
        if (row !== undefined && isTheirs && known.value !== value)
          this.#fail(
            `The undo writes ${value} over ${thing} ${member}, which somebody else had set to ${known.value}`,
          );
      }
    }
  }

  /** Tells whether a newer approval set the value so long ago that a write of this one had to know. */
  #isOutdated({ by, at }: Write, approval: Approval, thing: string): boolean {
    if (by !== 'us' || at + STALE_MS >= this.#now()) return false;
    return this.approvals.some((one) => one.at > approval.at && one.arrived.get(thing)?.at === at);
  }

  /**
   * Tells whether we set the value because somebody approved it: what only stood in the same part was sent as it was
   * read, and a later read may show what others had set in between.
   */
  #isMeant({ by, at }: Write, thing: string, member: Member): boolean {
    const isOf = ({ arrived, rows }: Approval) =>
      arrived.get(thing)?.at === at && rows.get(thing)?.get(member)?.isCarried === false;
    return by === 'us' && this.approvals.some(isOf);
  }

  /** Tells whether another process has written since the question, too late for this one to know of it. */
  #isRace({ at }: Write, { asked }: Approval, { thing, pid }: Arrival): boolean {
    const before = this.#service?.arrivals.find((one) => one.thing === thing && one.at === at);
    return before?.pid !== pid && at >= asked.begunAt && at + RACE_MS > this.#now();
  }

  /** Checks that each item is reported once, with the outcome that it had. */
  isTold(asked: Asked, answer: Answer): ReportedAnswer {
    const reported = readAnswer(answer);
    if (answer.facts.read !== undefined) this.#readings.push(asked.begunAt);
    const approval = this.#approvalOf(asked, reported);
    if (approval === undefined) return reported;
    approval.id ??= reported.id;
    approval.isList ||= reported.isList;
    if (isFeed(approval.asked)) this.#checkFeed(approval, reported);
    else if (reported.isList) this.#checkOutcomes(approval, reported);
    // A brief answer names only the first outcomes; a later one names all.
    const isBrief = answer.facts.whole !== undefined;
    if (approval.asked.undoes !== undefined && !approval.isUndone && isFinal(reported) && !isBrief)
      this.#checkUndone(approval, reported, answer);
    return reported;
  }

  /** Checks that each thing of each approved list was reported in the end. */
  isOver(): void {
    for (const { isList, id, rows, told } of this.approvals) {
      if (!isList) continue;
      for (const thing of rows.keys())
        if (!told.has(thing)) this.#fail(`What became of ${thing} of the list ${id} was never told`);
    }
  }

  #approvalOf({ key }: Asked, { id }: ReportedAnswer): Approval | undefined {
    const known = id === undefined ? undefined : this.approvals.find((one) => one.id === id);
    return known ?? this.approvals.findLast((one) => one.id === undefined && one.asked.key === key);
  }

  #checkOutcomes(approval: Approval, { outcomes, outcome, counted }: ReportedAnswer): void {
    const { rows, id } = approval;
    if (counted !== rows.size)
      this.#fail(`${counted} of the list ${id} are counted, and ${rows.size} are in it`);
    for (const [thing, ends] of outcomes) {
      const [end = '', more] = ends;
      if (more !== undefined) this.#fail(`${thing} of the list ${id} is told twice: ${ends}`);
      if (end === 'pending') continue;
      this.#checkOutcome(approval, thing, end);
      if (isFinal({ outcome })) approval.told.set(thing, end);
    }
  }

  /** Checks the messages of a feed: those that the answer does not name were accepted, where it counts them. */
  #checkFeed(approval: Approval, reported: ReportedAnswer): void {
    const { rows } = approval;
    if (!isFinal(reported)) return;
    if (reported.counted !== 0 && reported.counted !== rows.size)
      this.#fail(
        `${reported.counted} messages of the feed ${reported.id} are counted, and ${rows.size} are in it`,
      );
    const others = reported.counted === 0 ? (reported.outcome ?? '') : 'accepted';
    for (const thing of rows.keys()) {
      const [end = others] = reported.outcomes.get(thing) ?? [];
      this.#checkOutcome(approval, thing, end);
      approval.told.set(thing, end);
    }
  }

  #checkOutcome(approval: Approval, thing: string, end: string): void {
    const { arrived, at, id } = approval;
    const arrival = arrived.get(thing) ?? this.#arrivalOfTwin(approval, thing);
    const fail = (came: string) => this.#fail(`${thing} of the list ${id} is told as ${end}, and ${came}`);
    const isFeedLost =
      isFeed(approval.asked) && this.#service?.lostFeeds.some((lostAt) => lostAt >= at) === true;
    const isUnsure = isFeedLost || (this.unsureSince <= this.#now() && at <= this.#now());
    if (end === 'unknown') {
      if (!isUnsure && arrival?.isAnswered !== false) fail('nothing was lost');
    } else if (end === 'changed_since' && !this.#isChanged(approval, thing)) {
      fail('nobody has changed it');
    } else if (arrival === undefined) {
      if (SENT.includes(end)) fail('it never came');
    } else if (NOT_SENT.includes(end)) fail('it came');
    else if (arrival.isAccepted !== SENT.includes(end))
      fail(`it was ${arrival.isAccepted ? '' : 'not '}accepted`);
  }

  /** Takes what came for another approval of the same call, which has gone on with the list of this one. */
  #arrivalOfTwin({ asked, arrived }: Approval, thing: string): Arrival | undefined {
    const isTwin = (one: Approval) =>
      one.asked.key === asked.key && one.id === undefined && one.arrived.has(thing);
    const twin = this.approvals.find(isTwin);
    const arrival = twin?.arrived.get(thing);
    if (arrival !== undefined) arrived.set(thing, arrival);
    twin?.arrived.delete(thing);
    return arrival;
  }

  /**
   * Checks that each undone member has the value from before our write, or is named as changed by somebody
   * else.
   */
  #checkUndone(approval: Approval, reported: ReportedAnswer, answer: Answer): void {
    approval.isUndone = true;
    const { asked, rows, at, question } = approval;
    const { of, things } = asked.undoes ?? {};
    if (of === undefined) return;
    for (const [thing, arrival] of of.arrived) {
      if (!arrival.isAccepted || (things !== undefined && !things.includes(thing))) continue;
      const end = reported.isList
        ? reported.outcomes.get(thing)?.[0]
        : rows.has(thing)
          ? reported.outcome
          : undefined;
      const isNamed =
        reported.leftOut.includes(thing) ||
        isLeftOut(thing, question) ||
        (end !== undefined && !SENT.includes(end) && end !== 'done');
      for (const [member, { now: shown, isCarried }] of of.rows.get(thing) ?? []) {
        if (isCarried) continue;
        const last = this.#last(thing, member);
        const before = of.before.get(`${thing} ${member}`);
        // Another list of ours that was under way has written since, and its value stands.
        const isAnother = (one: Approval) =>
          one !== of && one !== approval && one.arrived.get(thing)?.at === last.at;
        if (last.at > arrival.at && this.approvals.some(isAnother)) continue;
        if (last.value === before || last.value === shown || isNamed || last.at > at) continue;
        if (new RegExp(`\\b${thing}\\b`).test(JSON.stringify([answer.text, answer.facts])) && isOthers(last))
          continue;
        this.#fail(
          `After the undo ${thing} ${member} is ${last.value} and not ${before}, and it is told as ${end}`,
        );
      }
    }
  }

  /** Returns when the reading began whose values the question of a call may show. */
  #readSince({ begunAt }: Asked): number {
    return Math.min(begunAt, ...this.#readings.filter((at) => at + READING_MS > begunAt));
  }

  /**
   * Tells whether the thing changed since its call read it: by others, by another call of ours that may be under
   * way, or because an earlier write became visible only then.
   */
  #isChanged(approval: Approval, thing: string): boolean {
    const { asked, arrived } = approval;
    const mayComeToo = (one: Approval) =>
      one !== approval && one.rows.has(thing) && ['unknown', undefined].includes(one.told.get(thing));
    if (this.approvals.some(mayComeToo)) return true;
    const own = [arrived.get(thing)?.at, asked.undoes?.of.arrived.get(thing)?.at];
    const since = this.#readSince(asked);
    const isNew = (one: Write) => one.at >= since && !own.includes(one.at);
    return MEMBERS.some((member) =>
      this.#sets(thing, member).some(
        (one) => isNew(one) || (one.at < since && this.#seenAt(member, one) >= since),
      ),
    );
  }

  #fail(what: string): void {
    this.wrong.push(what);
  }

  #sets(thing: string, member: Member): readonly Write[] {
    return this.#service?.setsOf(thing, member) ?? [];
  }

  #last(thing: string, member: Member): Write {
    const last = this.#sets(thing, member).at(-1);
    if (last === undefined) throw new Error(`There is no ${thing} ${member}`);
    return last;
  }

  #seenAt(member: Member, set: Write): number {
    return this.#service?.seenAt(member, set) ?? 0;
  }

  /** Our own writes are known at once, those of others when a read shows them. */
  #knownAt(thing: string, member: Member, at: number): Write | undefined {
    return this.#sets(thing, member).findLast((one) =>
      isOthers(one) ? this.#seenAt(member, one) <= at : one.at <= at,
    );
  }

  #shownSince(thing: string, member: Member, since: number): Set<Value> {
    const sets = this.#sets(thing, member);
    const moments = [since, ...sets.map((one) => this.#seenAt(member, one))];
    const during = moments.filter((at) => at >= since && at <= this.#now());
    return new Set(
      during.flatMap((at) => sets.findLast((one) => this.#seenAt(member, one) <= at)?.value ?? []),
    );
  }
}

/** Tells a call that sends a feed. */
export const isFeed = ({ key }: Pick<Asked, 'key'>): boolean => key.startsWith('["write_operation"');

const isOthers = ({ by }: Write) => by === 'other' || by === 'sale';

const OPEN = ['under_way', 'unfinished', 'needs_confirmation', 'waiting', undefined];
const isFinal = ({ outcome }: Pick<ReportedAnswer, 'outcome'>) => !OPEN.includes(outcome);

function* membersOf(rows: Rows) {
  for (const [thing, row] of rows) for (const [member, shown] of row) yield [thing, member, shown] as const;
}
