/** Documents of the service into the one table of a collection, which is whole then. */

import type { LabeledDocument } from '../documents/join-documents.ts';
import type { CollectionSource, DocumentFormat, DocumentOutcome, Loader } from '../tables/types.ts';
import {
  type DocumentJob,
  explainDocumentError,
  fetchDocument,
  fileOf,
  loadDocument,
} from './fetch-document.ts';
import { mayBePersonal, type RawDocument, type Saving, saveRaw } from './save-raw.ts';
import type { DoneReport } from './service-report.ts';
import type { Made, WorkParts } from './work.ts';

interface Target {
  open: WorkParts['open'];
  table: string;
  format: DocumentFormat;
  reportType?: string;
  source: CollectionSource;
  complete: boolean;
  notes: string[];
  saving: Saving | undefined;
  /** Its documents are given against a token of their own, since they hold buyers' data. */
  isRestricted: boolean;
}

/** @throws as `fetchDocument`, explained where the document was named */
export async function collectDocument(job: DocumentJob, target: Target): Promise<Made> {
  const { open, table, format, reportType, isRestricted, source } = target;
  const loader = await open();
  const file = fileOf(loader);
  const { charset } = await fetchDocument(job, file).catch((error: unknown) => {
    throw source.kind === 'document' ? explainDocumentError(error, source.of) : error;
  });
  const loaded = await loadDocument({
    loader,
    table,
    document: file,
    format,
    charset,
    reportType,
    isRestricted,
    tell: job.tell,
  });
  return finish(loader, loaded, [{ file }], target, job.signal);
}

/** All of them in one table, each row with the report that it is from. */
export async function collectJoined(
  job: Omit<DocumentJob, 'id'>,
  reports: readonly DoneReport[],
  target: Target,
): Promise<Made> {
  const { open, table, format, reportType, isRestricted } = target;
  const loader = await open();
  const documents: LabeledDocument[] = [];
  for (const [at, { reportId, reportDocumentId }] of reports.entries()) {
    const file = `${fileOf(loader)}-${at + 1}`;
    const tell: DocumentJob['tell'] = ({ message, ...rest }) =>
      job.tell({ message: `Report ${at + 1} of ${reports.length}: ${message}`, isAtLeast: true, ...rest });
    const { charset } = await fetchDocument({ ...job, tell, id: reportDocumentId }, file);
    documents.push({ file, charset, label: reportId });
  }
  const document = { column: 'report_id', documents };
  const loaded = await loadDocument({
    loader,
    table,
    document,
    format,
    reportType,
    isRestricted,
    tell: job.tell,
  });
  return finish(loader, loaded, documents, target, job.signal);
}

/** Saved before the downloads go with the loader; a file that could not be saved costs no table. */
async function finish(
  loader: Loader,
  loaded: DocumentOutcome,
  documents: readonly RawDocument[],
  { source, complete, notes, reportType, isRestricted, saving }: Target,
  signal: AbortSignal,
): Promise<Made> {
  const of = reportType === undefined ? {} : { reportType };
  const personal = mayBePersonal(of, isRestricted, loaded.tables);
  const saved = saving === undefined ? undefined : await saveRaw(saving, documents, personal, signal);
  const info = await loader.finish({ source, complete, notes: [...notes, ...loaded.notes] });
  return saved === undefined ? info : { ...info, saved };
}
