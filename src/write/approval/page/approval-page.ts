/**
 * Serves one page for one approval: its content, the excluded rows, the answer, which counts once, and the
 * outcome.
 */

import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { ApprovalRow, ApprovalState, PageData } from '../../../../views/data.ts';
import { sha256 } from '../../../base/canonical-json.ts';
import { WriteRefusedError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import {
  jsonAnswer,
  type OpenPage,
  openPage,
  type PageAnswer,
  type PageRequest,
} from '../../../page/page-server.ts';
import { readViewBundle, renderViews, type ViewPage } from '../../../page/views.ts';
import type { ClientUser } from '../../../render/client-user.ts';
import { errorMessageOf } from '../../../render/error-result.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import type { OutcomeCounts } from '../../model/outcome.ts';
import type { PageQuestion, PageRows } from './ask-at-page.ts';

/** The lifetime after the user's last action on it. */
const PAGE_LIFETIME_MS = 600_000;

/** The min interval between reads of the outcomes; reading takes at most a tenth of the time. */
const LOOK_MS = 500;

export interface ApprovalPageOptions {
  tool: string;
  /** The arguments of the call, without a code. */
  args: JsonObject;
  asked: PageQuestion;
  /** Runs the call again, from its start, with the user's approval. */
  again(answer: ReturnType<ClientUser['answer']>): Promise<ToolAnswer>;
  /** Redacts every secret in a text for the user. */
  redact(text: string): string;
  /** The digests of rows that were excluded at earlier pages: the same rows start as excluded. */
  takenBefore: Set<string>;
  /** The running program's file; the script of the page is next to it. */
  entryFile: string;
  isSandbox: boolean;
  /** Closes the page at the end of the session. */
  signal: AbortSignal;
  lifetimeMs?: number | undefined;
}

export type ApprovalPageState = ApprovalState['standing'];

/** The result of the approved call. */
export type ApprovedCallResult = { answer: ToolAnswer } | { error: unknown };

export class ApprovalPage {
  /** The handle for the assistant: it is no code, confirms nothing, and is no part of the address. */
  readonly handle = `page-${randomBytes(4).toString('hex')}`;
  readonly options: ApprovalPageOptions;
  /** A call has reported the end to its caller. */
  isTold = false;
  standing: ApprovalPageState = 'waiting';
  /** This program has opened it in a browser. */
  isOpenedHere = false;
  /** The time when the host was last asked to open it, in milliseconds of `performance.now()`. */
  shownAt: number | undefined;
  result: ApprovedCallResult | undefined;
  /** The number of items; one if it is no batch. */
  readonly total: number;
  /** The batch; undefined once the page is gone, so that a long batch leaves the memory. */
  #list: PageRows | undefined;
  /** The time of the last request from a browser, in milliseconds of `performance.now()`. */
  #seenAt = Number.NEGATIVE_INFINITY;
  #html = '';
  #page: OpenPage | undefined;
  #rows: readonly ApprovalRow[] | undefined;
  /** The indexes of excluded rows. */
  #out = new Set<number>();
  readonly #ends: ApprovalState['ends'][number][] = [];
  readonly #ended = new Map<number, string>();
  #readAt = Number.NEGATIVE_INFINITY;
  #readTookMs = 0;
  #counts: OutcomeCounts | undefined;
  #isOver = false;
  #settle: () => void = () => {};
  /**
   * Resolves when the user declined, the page ended without an answer, or the approved call has its result.
   */
  readonly settled: Promise<void>;

  constructor(options: ApprovalPageOptions) {
    this.options = options;
    this.#list = options.asked.rows;
    this.total = options.asked.rows?.total ?? 1;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  async open(): Promise<void> {
    const { signal, lifetimeMs = PAGE_LIFETIME_MS } = this.options;
    const view = await this.#render();
    this.#html = view.html;
    const page = await openPage({
      door: DOOR,
      policy: view.policy,
      answer: (request) => this.#answer(request),
      signal,
      lifetimeMs,
    });
    this.#page = page;
    void page.done.then((end) => {
      this.#finish(end === 'expired' ? 'left' : 'closed');
      this.#list = undefined;
      this.#rows = undefined;
    });
  }

  /** The address, which opens the page once. It is for the user alone and never reaches an assistant. */
  get url(): string {
    return this.#page?.url ?? '';
  }

  get isVisited(): boolean {
    return this.#page?.isVisited === true;
  }

  /** Returns true if a browser has it open. */
  get isInBrowser(): boolean {
    return performance.now() - this.#seenAt < SEEN_MS;
  }

  /** Returns the number of rows that can be excluded. */
  get #rowCount(): number {
    const { rows } = this.options.asked;
    return rows === undefined || rows.isWhole === true ? 0 : this.total;
  }

  close(): void {
    this.#page?.close();
    this.#finish('closed');
  }

  #finish(standing: 'left' | 'closed'): void {
    if (this.standing !== 'waiting') return;
    this.standing = standing;
    this.result = { error: new WriteRefusedError(ENDED[standing], ASK_ANEW) };
    void this.options.asked.waiting?.leave();
    this.#settle();
  }

  async #answer({ method, name, query, json, fields }: PageRequest): Promise<PageAnswer> {
    this.#seenAt = performance.now();
    try {
      if (method === 'GET') return await this.#show(name, query);
      // Every POST of the page is an action of the user.
      this.#renew();
      const steps: Readonly<Record<string, (given: unknown) => PageAnswer | Promise<PageAnswer>>> = {
        out: (given) => this.#takeOut(given),
        yes: (given) => this.#yes(given),
        no: () => this.#no(),
        here: () => this.#state(0),
      };
      const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
      return step === undefined ? NOT_FOUND : await step(json ?? fields);
    } catch (error) {
      return { status: 500, type: 'text/plain', body: `${errorMessageOf(error)}\n` };
    }
  }

  async #show(name: string, query: URLSearchParams): Promise<PageAnswer> {
    if (name === 'state') return this.#state(Number(query.get('from') ?? 0));
    if (name !== '' && name !== 'rows') return NOT_FOUND;
    this.#renew();
    if (name === 'rows') return jsonAnswer(await this.#readRows());
    return { status: 200, type: 'text/html', body: this.#html };
  }

  #renew(): void {
    this.#page?.renew();
    if (this.standing === 'waiting') void this.options.asked.waiting?.renew();
  }

  async #render(): Promise<ViewPage> {
    const { asked, redact, entryFile, isSandbox } = this.options;
    const { account, question, checked, rows } = asked;
    const [first = '', ...others] = question.split('\n');
    const head = rows?.head ?? first;
    const lines = rows === undefined ? others : [...rows.around, ...checked];
    const hasRows = rows?.isWhole === true;
    const texts = { head: redact(head), lines: lines.map(redact) };
    const view = { kind: 'yes', ...texts, total: this.#rowCount, ...(hasRows ? { hasRows } : {}) } as const;
    const madeAt = new Date().toISOString();
    const data: PageData = { title: TITLE, account, madeAt, isSandbox, views: [view] };
    return renderViews(await readViewBundle(entryFile), data, { isFile: false });
  }

  /** Reads the rows; a row that the user excluded at an earlier page starts as excluded. */
  async #readRows(): Promise<readonly ApprovalRow[]> {
    if (this.#rows !== undefined) return this.#rows;
    const { redact, takenBefore } = this.options;
    const all = (await this.#list?.rows()) ?? [];
    if (this.#rows !== undefined) return this.#rows;
    this.#rows = all.map((row) => ({
      ...row,
      name: redact(row.name),
      change: redact(row.change),
      odd: redact(row.odd),
    }));
    if (takenBefore.size > 0) {
      for (const [at, row] of this.#rows.entries()) if (takenBefore.has(this.#digest(row))) this.#out.add(at);
    }
    return this.#rows;
  }

  #digest({ key, change }: ApprovalRow): string {
    const { account, operation } = this.options.asked;
    return sha256([account, operation, key, change]);
  }

  #takeOut(given: unknown): PageAnswer | Promise<PageAnswer> {
    const out = indexesIn(outSchema.safeParse(given).data?.out, this.#rowCount);
    if (out === undefined || this.#rows === undefined) return WRONG;
    if (this.standing !== 'waiting') return TOO_LATE;
    this.#out = out;
    return this.#state(0);
  }

  /**
   * Approves the page. The request lists the remaining rows, which have to match those that the page shows.
   */
  #yes(given: unknown): PageAnswer | Promise<PageAnswer> {
    const total = this.#rowCount;
    const rest = indexesIn(approvalSchema.safeParse(given).data?.kept, total);
    const isShown =
      this.#rowCount === 0
        ? this.#rows !== undefined || this.#list === undefined
        : this.#rows?.length === total;
    if (rest === undefined || !isShown) return WRONG;
    if (this.standing !== 'waiting') return TOO_LATE;
    for (let at = 0; at < total; at += 1) if (rest.has(at) === this.#out.has(at)) return OTHER;
    if (total > 0 && rest.size === 0) return NOTHING_LEFT;
    this.standing = 'yes';
    void this.#begin();
    return this.#state(0);
  }

  /** Starts the approved call, which runs whether or not the page stays open. */
  async #begin(): Promise<void> {
    const { asked, again, takenBefore } = this.options;
    const takenOut = new Set<string>();
    for (const [at, row] of (this.#rows ?? []).entries()) {
      if (this.#out.has(at)) takenOut.add(row.key);
      takenBefore[this.#out.has(at) ? 'add' : 'delete'](this.#digest(row));
    }
    try {
      this.#list?.renew();
      this.result = { answer: await again({ action: 'accept', state: await asked.issue(), takenOut }) };
    } catch (error) {
      this.result = { error };
    }
    this.#settle();
  }

  async #no(): Promise<PageAnswer> {
    if (this.standing !== 'waiting') return TOO_LATE;
    this.standing = 'no';
    try {
      await this.options.asked.refuse();
    } catch (error) {
      this.result = { error };
    }
    await this.options.asked.waiting?.leave();
    this.#settle();
    return { ...(await this.#state(0)), isEnd: true };
  }

  /** @param from the number of ends that the page already has */
  async #state(from: number): Promise<PageAnswer> {
    await this.#readOutcomes();
    const { standing, result } = this;
    // A running batch renews the page, because the user waits for it.
    if (standing === 'yes' && !this.#isOver) this.#page?.renew();
    const known = Math.max(0, Math.min(this.#ends.length, Math.trunc(from) || 0));
    const state: ApprovalState = {
      standing,
      closesAt: this.#page?.closesAt,
      out: bitsOf(this.#out, this.#rowCount),
      counts: this.#counts,
      isOver: this.#isOver,
      from: known,
      ends: this.#ends.slice(known),
      ...(result === undefined ? {} : this.#resultText(result)),
    };
    return jsonAnswer(state);
  }

  #resultText(result: ApprovedCallResult) {
    const { redact } = this.options;
    if ('error' in result) return { text: redact(errorMessageOf(result.error)), failed: true };
    const { text, isError = false } = result.answer;
    return { text: redact(text), failed: isError };
  }

  /**
   * Reads the outcomes, at limited intervals, because a long batch takes a while and several pages may ask.
   */
  async #readOutcomes(): Promise<void> {
    const rows = this.#list;
    if (this.standing !== 'yes' || this.#isOver) return;
    if (rows?.outcomes === undefined || (this.result !== undefined && 'error' in this.result)) {
      this.#isOver = this.result !== undefined;
      return;
    }
    const now = performance.now();
    if (now - this.#readAt < Math.max(LOOK_MS, 10 * this.#readTookMs)) return;
    this.#readAt = now;
    const { result } = this;
    const id = result !== undefined && 'answer' in result ? result.answer.structured.batch_id : undefined;
    const found = await rows.outcomes(typeof id === 'string' ? id : undefined);
    this.#readTookMs = performance.now() - now;
    if (found === undefined) return;
    const indexes = new Map((this.#rows ?? []).map(({ key }, at) => [key, at]));
    for (const { key, outcome } of found.items) {
      const at = indexes.get(key);
      if (at === undefined || outcome === undefined) continue;
      const { kind, why = '' } = outcome;
      if (this.#ended.get(at) === `${kind} ${why}`) continue;
      this.#ended.set(at, `${kind} ${why}`);
      this.#ends.push([at, kind, this.options.redact(why)]);
    }
    this.#counts = found.counts;
    this.#isOver = found.outcome !== 'under_way' && this.result !== undefined;
  }
}

const TITLE = 'A change waits for your yes';

const DOOR = {
  title: TITLE,
  text: 'An assistant asks for a change in your seller account. Look at it first: nothing is sent before you say yes.',
  button: 'Look at it',
};

/** The max silence of an open page, which asks more often. */
const SEEN_MS = 15_000;

const ENDED = {
  left: 'Nobody answered at the page: it ends ten minutes after the last that was done on it. Nothing was sent.',
  closed: 'The page was closed before the person answered; nothing was sent.',
};
const ASK_ANEW = 'Call the tool again, so that the person is asked anew.';

const NOT_FOUND: PageAnswer = { status: 404, type: 'text/plain', body: 'Not found.\n' };
const WRONG: PageAnswer = { status: 400, type: 'text/plain', body: 'That is not what this page sends.\n' };
const TOO_LATE: PageAnswer = {
  status: 409,
  type: 'text/plain',
  body: 'This page was answered already; an answer counts once.\n',
};
const OTHER: PageAnswer = {
  status: 409,
  type: 'text/plain',
  body: 'Something else was taken out meanwhile; look once more. Nothing was sent.\n',
};
const NOTHING_LEFT: PageAnswer = {
  status: 409,
  type: 'text/plain',
  body: 'Everything is taken out; nothing was sent.\n',
};

const outSchema = z.object({ out: z.string() });
const approvalSchema = z.object({ kept: z.string() });

// Row indexes travel as one bit each in base64: 25,000 rows take four kilobytes.

/** @returns undefined if the bits are not for `total` rows */
function indexesIn(text: string | undefined, total: number): Set<number> | undefined {
  if (text === undefined) return undefined;
  const bits = Buffer.from(text, 'base64');
  if (bits.length !== Math.ceil(total / 8)) return undefined;
  const indexes = new Set<number>();
  for (let at = 0; at < total; at += 1) if (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) indexes.add(at);
  return indexes;
}

function bitsOf(places: ReadonlySet<number>, total: number): string {
  const bits = Buffer.alloc(Math.ceil(total / 8));
  for (const at of places) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  return bits.toString('base64');
}
