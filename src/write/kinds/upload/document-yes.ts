/** The yes to a write with a document: what the person reads, and exactly which document and request it is good for. */

import { identityOf } from '../../../accounts/owner.ts';
import type { Person } from '../../../tell/person.ts';
import type { Act } from '../../ask/write-guard.ts';
import type { WritePreview } from '../../ask/write-preview.ts';
import type { PreparedWrite } from '../../plan/prepare-write.ts';
import type { OutgoingWrite } from '../feed/write-feed.ts';
import { type DocumentPreview, documentWords } from './document-preview.ts';
import type { LoadedDocument } from './load-document.ts';

export interface DocumentYes {
  wanted: Pick<OutgoingWrite, 'operation' | 'account' | 'confirmationCode'>;
  write: Pick<PreparedWrite, 'input' | 'request' | 'shown' | 'marked'>;
  loaded: Pick<LoadedDocument, 'replaced' | 'isPersonal'>;
  preview: DocumentPreview;
  built: Pick<WritePreview, 'question'>;
  /** What is sent, with a digest of the document in it. */
  body: unknown;
  person: Person;
}

export function actOn({ wanted, write, loaded, preview, built, body, person }: DocumentYes): Act {
  const { operation, account, confirmationCode } = wanted;
  const { input, request, shown } = write;
  const isMarked = write.marked !== undefined || loaded.replaced.length > 0 || loaded.isPersonal;
  return {
    content: {
      account,
      operation: operation.id,
      body,
      parameters: { ...input.parameters, ...request.filledIn },
      identity: identityOf(request.owner),
    },
    preview: `${documentWords(preview, true)}\n${built.question}`,
    person,
    ...(confirmationCode === undefined ? {} : { confirmationCode }),
    ...(isMarked ? { marked: { parameters: shown.request.parameters, body: shown.request.body } } : {}),
  };
}
