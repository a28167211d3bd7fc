/**
 * Opens the loopback pages where a user enters an account's secrets, so that they never pass through the
 * assistant. Each account has one page, which is offered again while it is open.
 */

import { sleep, systemClock } from '../../base/clock.ts';
import { CancelledError } from '../../base/errors.ts';
import { contentSecurityPolicy } from '../../page/document.ts';
import { type OpenPage, openPage, type PageAnswer, type PageRequest } from '../../page/page-server.ts';
import type { Region } from '../../service/facts/regions.ts';
import { accountInputSchema } from '../account-input.ts';
import { type PageFrame, renderBusy, TITLE } from './render.ts';
import { answerSubmission, type PageState, renderState, type SubmissionSteps } from './submission.ts';

/**
 * The lifetime counts from the last offer, so that a user who has to look up the values is not interrupted.
 */
const PAGE_LIFETIME_MS = 900_000;

/** The end of a page: `saved` once the credentials are stored, even if the user did not enter the IDs. */
export type CredentialsPageOutcome = 'saved' | 'expired' | 'cancelled';

export interface CredentialsPageOptions extends SubmissionSteps {
  account: string;
  /** The preselected region, which the user can change. */
  region?: Region;
  /** The service host when the settings fix its address; the form asks for no region then. */
  service?: string;
  /** Closes the page when the server ends, not when one tool call does. */
  signal: AbortSignal;
  lifetimeMs?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** The maximum time for one request to arrive, in milliseconds. */
  requestTimeoutMs?: number;
}

const POLICY = contentSecurityPolicy({});

const KNOWN = new Set([...Object.keys(accountInputSchema.shape), 'step', 'withoutSellerId']);

const NOT_HERE: PageAnswer = { status: 404, type: 'text/plain', body: 'Not found.\n' };
const NOT_ASKED: PageAnswer = {
  status: 400,
  type: 'text/plain',
  body: 'The form holds a field that is not asked for.\n',
};

/**
 * Opens the page.
 * @throws CancelledError when `signal` has aborted or aborts before the page is open
 */
export async function openCredentialsPage(options: CredentialsPageOptions): Promise<CredentialsPage> {
  const submissions = new Submissions(options);
  const page = await openPage({
    ...options,
    door: {
      title: TITLE,
      text: `The page behind this button takes the access of account "${options.account}" to your computer’s keychain.`,
      button: 'Open the page',
    },
    policy: POLICY,
    lifetimeMs: options.lifetimeMs ?? PAGE_LIFETIME_MS,
    answer: (request) => submissions.answer(request, page.closesAt),
  });
  return new CredentialsPage(page, submissions);
}

/** Serializes the submissions: one at a time, and none after the last. */
class Submissions {
  #isBusy = false;
  readonly state: PageState = { shown: {}, kept: {} };
  readonly #options: CredentialsPageOptions;

  constructor(options: CredentialsPageOptions) {
    this.#options = options;
    if (options.region !== undefined) this.state.shown = { region: options.region };
  }

  async answer(request: PageRequest, closesAt: string): Promise<PageAnswer> {
    const { method, name, fields, path, signal } = request;
    if (name !== '') return NOT_HERE;
    const { account, service } = this.#options;
    const frame: PageFrame = { account, service, path, closesAt };
    if (method === 'GET') return { status: 200, type: 'text/html', body: renderState(frame, this.state) };
    if (Object.keys(fields).some((field) => !KNOWN.has(field))) return NOT_ASKED;
    if (this.#isBusy) return { status: 409, type: 'text/html', body: renderBusy() };
    this.#isBusy = true;
    const answer = await answerSubmission(fields, { frame, steps: this.#options, state: this.state, signal });
    // The page accepts no other submission after the last step, until it is closed.
    this.#isBusy = answer.isEnd === true;
    return answer;
  }
}

/** The page's interface for the code that opened it. */
export class CredentialsPage {
  /** Settles once, after the last socket is closed; never rejects. */
  readonly done: Promise<CredentialsPageOutcome>;
  readonly #page: OpenPage;
  readonly #state: PageState;

  constructor(page: OpenPage, { state }: { state: PageState }) {
    this.#page = page;
    this.#state = state;
    this.done = page.done.then((end) => {
      state.kept = {};
      return end === 'done' || this.isStored ? 'saved' : end;
    });
  }

  /** The address that opens the page once; a new one after it was used. */
  get url(): string {
    return this.#page.url;
  }

  /** True after the page was opened for the first time. */
  get isVisited(): boolean {
    return this.#page.isVisited;
  }

  /** False once it has ended; an ended page is never offered again. */
  get isOpen(): boolean {
    return this.#page.isOpen;
  }

  /** True once the credentials are stored, even while the page still asks for the IDs. */
  get isStored(): boolean {
    return this.#state.stored !== undefined;
  }

  /** The local time at which it currently closes: `14:32`. */
  get closesAt(): string {
    return this.#page.closesAt;
  }

  /** Restarts its lifetime, because it is offered again. */
  renew(): void {
    this.#page.renew();
  }

  close(): void {
    this.#page.close();
  }
}

export type AccountPages = (options: CredentialsPageOptions) => Promise<CredentialsPage>;

/**
 * Returns the open page of the account with a new lifetime, ignoring `options`, or a new page when there is
 * none. Throws CancelledError when `signal` has aborted.
 */
export function createAccountPages(): AccountPages {
  const open = new Map<string, Promise<CredentialsPage>>();

  const openNew = (options: CredentialsPageOptions): Promise<CredentialsPage> => {
    const opening = openCredentialsPage(options);
    const forget = () => {
      if (open.get(options.account) === opening) open.delete(options.account);
    };
    open.set(options.account, opening);
    opening.then((page) => page.done.then(forget), forget);
    return opening;
  };

  return async (options) => {
    const opening = open.get(options.account);
    if (opening === undefined) return openNew(options);
    const page = await opening;
    if (page.isOpen) {
      page.renew();
      return page;
    }
    // The page has ended and is about to be removed; another call may already have opened a new one.
    const newer = open.get(options.account);
    return newer === undefined || newer === opening ? openNew(options) : newer;
  };
}

/**
 * Waits for the page's end for at most `maxMs` milliseconds, because older clients abandon a call after 60 s.
 * Returns `waiting` while the page is still open, which does not affect the page.
 * @throws CancelledError when `signal` aborts
 */
export async function waitForCredentials(
  done: Promise<CredentialsPageOutcome>,
  maxMs = 45_000,
  signal?: AbortSignal,
): Promise<CredentialsPageOutcome | 'waiting'> {
  const over = new AbortController();
  const endings = signal === undefined ? [over.signal] : [over.signal, signal];
  const late = sleep(systemClock, maxMs, AbortSignal.any(endings)).then(() => 'waiting' as const);
  try {
    return await Promise.race([done.catch(() => 'cancelled' as const), late]);
  } catch {
    throw new CancelledError('The call was cancelled while it waited for the credentials page');
  } finally {
    over.abort();
  }
}
