/** What a running tool may use: the services of this process, and what belongs to this one call. */

import type { AnswerStore } from '../answers/answer-store.ts';
import type { Client } from '../client/client.ts';
import type { Wait } from '../client/types.ts';
import type { Config } from '../config.ts';
import type { Accounts } from '../credentials/types.ts';
import type { Log } from '../log.ts';
import type { Redactor } from '../redact/redact.ts';
import type { Registry } from '../service/facts/registry.ts';
import type { WriteGuard } from '../writes/write-guard.ts';
import type { Person, PersonAnswer } from './ask.ts';

/** Pages on loopback that take credentials from the person. */
export interface CredentialsPages {
  /** Undefined where the keychain cannot be used, so that nothing could be stored. */
  offer(account: string | undefined): Promise<{ id: string; url: string } | undefined>;
  /** Waits a limited time for a page to be filled in. @throws CredentialError when it is not, saying that it stays open. */
  awaitPage(answer: { action: PersonAnswer; state: string | undefined }, signal: AbortSignal): Promise<void>;
}

/**
 * Shared by every call of the process. Each is made on first use: nothing is loaded, read or opened at start.
 * A setting that is wrong is thrown from here, as a ConfigError, so that the assistant can say it.
 */
export interface Services {
  config(): Config;
  accounts(): Promise<Accounts>;
  client(): Promise<Client>;
  registry(): Promise<Registry>;
  writes(): Promise<WriteGuard>;
  answers(): Promise<AnswerStore>;
  credentialsPages(): Promise<CredentialsPages>;
  redactor: Redactor;
  log: Log;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Ends everything that is open; the process can exit afterwards. */
  close(): Promise<void>;
}

export interface ToolContext {
  services: Services;
  /** Aborts when the client cancels the call or goes away. */
  signal: AbortSignal;
  /** When the whole tool call must have ended, in milliseconds of `performance.now()`: clients give up after 60 s. */
  deadline: number;
  /** Tells the client why a call takes its time. */
  onWait(wait: Wait): void;
  person: Person;
}
