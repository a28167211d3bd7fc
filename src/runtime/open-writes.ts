/** Opens what guards writes: the journal, the confirmation codes, and the mode that the settings ask for. */

import { randomUUID } from 'node:crypto';
import type { Client } from '../client/client.ts';
import type { Config } from '../config.ts';
import type { Redactor } from '../redact/redact.ts';
import type { WriteGuard } from '../writes/write-guard.ts';

export async function openWrites(config: Config, client: Client, redactor: Redactor): Promise<WriteGuard> {
  const [{ createWriteGuard }, { createJournal }, { createConfirmations }, { sha256 }, { findStateFolder }] =
    await Promise.all([
      import('../writes/write-guard.ts'),
      import('../journal/journal.ts'),
      import('../writes/confirmation.ts'),
      import('../writes/normalise.ts'),
      import('../journal/state-folder.ts'),
    ]);
  const folder = await findStateFolder(config);
  const monotonic = { now: () => performance.now() };
  return createWriteGuard({
    mode: config.writes,
    client,
    ...monotonic,
    journal: createJournal({
      folder,
      now: Date.now,
      randomId: randomUUID,
      digest: sha256,
      redact: redactor.redactValue,
    }),
    codes: createConfirmations(monotonic),
    questions: createConfirmations(monotonic),
  });
}
