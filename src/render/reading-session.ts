/**
 * Defines the two lifetimes for code that reads and answers: the program, shared by all, and the session of
 * one principal.
 */

import type { Accounts } from '../accounts/account.ts';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { CallOptions, Client } from '../call/client-types.ts';
import type { Downloads } from '../call/download/download.ts';
import type { Uploads } from '../call/upload/upload.ts';
import type { CollectionJobs } from '../data/collections/collection-jobs.ts';
import type { Tables } from '../data/tables/table-types.ts';
import type { PersonalData } from '../privacy/personal/personal-data.ts';
import type { Sealer } from '../privacy/sealed/sealer.ts';
import type { Redactor } from '../privacy/secrets/redact.ts';
import type { Registry } from '../service/registry/registry.ts';
import type { FilesFolder } from '../store/files/files.ts';
import type { AnswerStore } from './answer-store.ts';
import type { ClientUser, UserAnswer } from './client-user.ts';

/** State that all sessions of a process share; it belongs to no principal. */
export interface SharedProgram {
  registry(): Promise<Registry>;
  /** The file of the running program; modules loaded by name are beside it. */
  entryFile: string;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** The principal that a session works for. */
export interface Principal {
  /** The name in logs, which is no secret: `local` is the user at this machine. */
  name: string;
  /** Distinguishes principals with the same name; absent for the user at this machine. */
  id?: string;
  /** The accounts that it may use; all existing ones if there is no list. */
  accounts?: readonly string[];
  /**
   * True for a user at another machine: no page can be opened for it here, and credentials in its arguments
   * are rejected.
   */
  isElsewhere?: boolean;
  /** Settings that differ from those of the process. */
  settings?: Partial<SessionSettings>;
  /** Returns how writes of an account are confirmed, if that differs between its accounts. */
  writesOf?(account: string): SessionSettings['writes'];
}

/**
 * The settings of a session: those of its principal override those of the process. No secret is among them.
 */
export type SessionSettings = Readonly<
  Omit<Config, 'clientSecret' | 'refreshToken' | 'stateKey' | 'httpToken' | 'storePassword'>
>;

/** Pages on loopback where the user enters credentials. */
export interface CredentialsPages {
  /**
   * Offers a page for exactly this account. Returns undefined if entered values would be useless or could
   * replace others: with the sandbox, for the account that the environment defines, for a name that is
   * probably mistyped (other accounts exist), for an account of another principal, and if the keychain cannot
   * be used.
   */
  offer(account: string): Promise<{ id: string; url: string } | undefined>;
  /**
   * Waits a limited time until a page is submitted.
   * @throws CredentialError when it is not, saying that it stays open.
   */
  awaitPage(answer: { action: UserAnswer; state: string | undefined }, signal: AbortSignal): Promise<void>;
}

/**
 * The state of one principal, which no other session can reach. Each part is made on first use: nothing is
 * loaded, read or opened at the start. An invalid setting is thrown from here as a ConfigError, so that the
 * assistant can report it.
 */
export interface ReadingSession {
  principal: Principal;
  program: SharedProgram;
  settings(): SessionSettings;
  /** Returns the account of a call: the one it names, or the session's own. */
  accountOf(given: string | undefined): string;
  /** The accounts that the principal may use; any other is reported as unknown. */
  accounts(): Promise<Accounts>;
  client(): Promise<Client>;
  /** Encrypts data on disk that only this user may read. */
  sealer(): Promise<Sealer>;
  answers(): Promise<AnswerStore>;
  /** The collected tables of an account. @throws CredentialError for an unknown account */
  tables(account: string): Promise<Tables>;
  /** The collections that run in the background, of all calls. */
  collections(): Promise<CollectionJobs>;
  /** Downloads documents from signed addresses. */
  downloads(): Promise<Downloads>;
  /** Uploads documents to signed addresses. */
  uploads(): Promise<Uploads>;
  /** The user's folder for files that are saved and uploaded. */
  files(): Promise<FilesFolder>;
  credentialsPages(): Promise<CredentialsPages>;
  /** Knows the secrets of this session. */
  redactor: Redactor;
  /** Masks data for the assistant, and resolves the placeholders of this session. */
  personal(): Promise<PersonalData>;
  log: Log;
  /** Returns a notice for the next answer once, such as that earlier placeholders have expired. */
  takeNews?: (() => string | undefined) | undefined;
  /**
   * Registers work that the end of the session waits for, within two seconds: an outcome for the journal, for
   * example.
   */
  own<T>(work: Promise<T>): Promise<T>;
  /** Closes everything that this session has open; the program goes on. */
  close(): Promise<void>;
}

/** The progress of a call as a message, with counts if there is something to count. */
export interface CallProgress {
  message: string;
  done?: number;
  total?: number;
}

/** The context of one tool call, for code that reads. */
export interface ReadingContext {
  session: ReadingSession;
  /**
   * Options for every call to the service. `signal` aborts when the client cancels or disconnects. `deadline`
   * is the end of the whole tool call (clients give up after 60 s). `onProgress` reports to the client why it
   * takes its time.
   */
  call: Required<Omit<CallOptions, 'timeoutMs' | 'dispatchHooks' | 'bound'>>;
  /** Reports the progress of the call to the client. */
  tell(progress: CallProgress): void;
  person: ClientUser;
}

/** Returns undefined if a setting is invalid: code that needs it reports the error. */
export function knownSettings(session: Pick<ReadingSession, 'settings'>): SessionSettings | undefined {
  try {
    return session.settings();
  } catch {
    return undefined;
  }
}
