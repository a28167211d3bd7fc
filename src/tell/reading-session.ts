/** The two lifetimes as what reads and answers sees them: the program, shared by all, and the session of one principal. */

import type { Accounts } from '../accounts/account.ts';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { CallOptions, Client } from '../call/client-types.ts';
import type { Downloads } from '../call/download/download.ts';
import type { Uploads } from '../call/upload/upload.ts';
import type { CollectionJobs } from '../data/collections/collection-jobs.ts';
import type { Tables } from '../data/tables/table-types.ts';
import type { FilesFolder } from '../disk/files/files.ts';
import type { PersonalData } from '../privacy/personal/personal-data.ts';
import type { Sealer } from '../privacy/sealed/sealer.ts';
import type { Redactor } from '../privacy/secrets/redact.ts';
import type { Registry } from '../service/registry/registry.ts';
import type { AnswerStore } from './answer-store.ts';
import type { Person, PersonAnswer } from './person.ts';

/** What all sessions of a process share; nothing in it belongs to anybody. */
export interface Program {
  registry(): Promise<Registry>;
  /** The running program: beside it stands what it loads by name. */
  entryFile: string;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Who a session works for. */
export interface Principal {
  /** Told in logs, never a secret: `local` is the person at this machine. */
  name: string;
  /** What tells it from all others of the same name; absent for the person at this machine. */
  id?: string;
  /** The accounts that it may use; all that exist where there is no list. */
  accounts?: readonly string[];
  /** Sits at another machine: no page can be opened for it here, and no credentials are taken from its arguments. */
  isElsewhere?: boolean;
  /** What is set otherwise for it than for the process. */
  settings?: Partial<SessionSettings>;
  /** How writes of an account are confirmed, where that differs between its accounts. */
  writesOf?(account: string): SessionSettings['writes'];
}

/** The settings as a session has them: those of its principal go before those of the process. No secret is among them. */
export type SessionSettings = Readonly<
  Omit<Config, 'clientSecret' | 'refreshToken' | 'stateKey' | 'httpToken' | 'storePassword'>
>;

/** Pages on loopback that take credentials from the person. */
export interface CredentialsPages {
  /**
   * A page for exactly this account; undefined where what is entered would be of no use, or could take another's place:
   * with the sandbox, for the account that the environment defines, for a name that is probably mistyped (other
   * accounts exist), for one that is not the principal's, and where the keychain cannot be used.
   */
  offer(account: string): Promise<{ id: string; url: string } | undefined>;
  /** Waits a limited time for a page to be filled in. @throws CredentialError when it is not, saying that it stays open. */
  awaitPage(answer: { action: PersonAnswer; state: string | undefined }, signal: AbortSignal): Promise<void>;
}

/**
 * What belongs to one principal: nothing of it can be reached from another session. Each part is made on first use:
 * nothing is loaded, read or opened at the start. A setting that is wrong is thrown from here, as a ConfigError, so
 * that the assistant can say it.
 */
export interface ReadingSession {
  principal: Principal;
  program: Program;
  settings(): SessionSettings;
  /** The account that a call means: the one it names, or the session's own. */
  accountOf(given: string | undefined): string;
  /** Only those that the principal may use; another's is told like one that does not exist. */
  accounts(): Promise<Accounts>;
  client(): Promise<Client>;
  /** Encrypts what is kept on disk and is for this person alone. */
  sealer(): Promise<Sealer>;
  answers(): Promise<AnswerStore>;
  /** What was collected for an account. @throws CredentialError for one that does not exist */
  tables(account: string): Promise<Tables>;
  /** What is collected in the background, by all calls. */
  collections(): Promise<CollectionJobs>;
  /** Documents at signed addresses. */
  downloads(): Promise<Downloads>;
  /** Documents to signed addresses. */
  uploads(): Promise<Uploads>;
  /** The one folder of the person's, for files that are saved and uploaded. */
  files(): Promise<FilesFolder>;
  credentialsPages(): Promise<CredentialsPages>;
  /** Knows the secrets of this session. */
  redactor: Redactor;
  /** Masks what goes to the assistant, and knows what the marks of this session stand for. */
  personal(): Promise<PersonalData>;
  log: Log;
  /** What is to be said once with the next answer, such as that what was given before has ended. */
  takeNews?: (() => string | undefined) | undefined;
  /** Work that the end of the session waits for, within two seconds: an outcome for the journal, say. */
  own<T>(work: Promise<T>): Promise<T>;
  /** Ends everything that is open here; the program goes on. */
  close(): Promise<void>;
}

/** How far a call has come, in words, and counted where there is something to count. */
export interface Progress {
  message: string;
  done?: number;
  total?: number;
}

/** One tool call, as what reads needs it. */
export interface ReadingContext {
  session: ReadingSession;
  /**
   * For every call to the service: `signal` aborts when the client cancels or goes away, `deadline` is when the whole
   * tool call must have ended (clients give up after 60 s), `onProgress` tells the client why it takes its time.
   */
  call: Required<Omit<CallOptions, 'timeoutMs' | 'dispatchHooks' | 'bound'>>;
  /** Tells the client how far the call has come. */
  tell(progress: Progress): void;
  person: Person;
}

/** Returns nothing where a setting is wrong: what needs it tells that. */
export function knownSettings(session: Pick<ReadingSession, 'settings'>): SessionSettings | undefined {
  try {
    return session.settings();
  } catch {
    return undefined;
  }
}
