/** What one guarded write consists of, and how it ends. */

import type { CallInput, CallOptions, CallResult } from '../client/client.ts';
import type { WriteContent } from './confirmation.ts';
import type { Difference } from './difference.ts';

/** The person, as far as the client lets us reach them (see src/mcp/questions.ts). */
export interface Asker {
  canConfirm: boolean;
  answer(key: string): { action: 'accept' | 'decline' | 'cancel'; state: string | undefined } | undefined;
  confirm(key: string, message: string, state: string): never;
}

export interface WriteRequest {
  input: CallInput;
  /** Parameters that the account fills in; they are part of what is confirmed and recorded. */
  filledIn: Readonly<Record<string, string>>;
  dryRun: boolean;
  confirmationCode?: string;
  /** What the person reads before saying yes. */
  preview: string;
  person: Asker;
  call: CallOptions;
  /** Reads the written thing again and says what differs from what was sent; absent where nothing can be read. */
  readBack?: () => Promise<Difference[]>;
}

export interface ReadBack {
  /** Empty when the service has what was sent. */
  differences: Difference[];
  /** Why it could not be read back, where it could not. */
  problem?: unknown;
}

export type WriteResult =
  | { outcome: 'preview' }
  | { outcome: 'needs_confirmation'; code: string }
  | {
      outcome: 'done';
      journalId: string;
      response: CallResult;
      readBack?: ReadBack;
      journalProblem?: string;
    };

/** What a confirmation is bound to, and the journal records. */
export function contentOf({ input, filledIn }: WriteRequest): WriteContent {
  const { account, operation, parameters, body } = input;
  return { account, operation: operation.id, parameters: { ...parameters, ...filledIn }, body };
}
