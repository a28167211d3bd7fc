/** A document that holds no rows, kept as it is: its text in pieces, in order. */

import type { DocumentOutcome } from '../types.ts';
import type { DocumentParts } from './load-document-items.ts';

/** Characters of one piece: few enough for SQLite's functions, many enough that most documents have one. */
const PIECE = 1_000_000;

/** @throws DocumentError */
export async function loadText(
  table: string,
  { database, open, onPass }: DocumentParts,
): Promise<DocumentOutcome> {
  database.exec(`CREATE TABLE "${table}" (item INTEGER PRIMARY KEY, content TEXT)`);
  const insert = database.prepare(`INSERT INTO "${table}" VALUES (NULL, ?)`);
  const reader = open();
  onPass(reader);
  let rows = 0;
  let text = '';
  let bytes = 0;
  const flush = () => {
    if (text === '') return;
    insert.run([text.replaceAll('\0', '\uFFFD')]);
    rows += 1;
    text = '';
  };
  try {
    for await (const batch of reader.batches()) {
      if (batch.kind === 'bytes') bytes += batch.bytes.length;
      if (batch.kind === 'text') text += batch.text;
      if (text.length >= PIECE) flush();
    }
    flush();
  } finally {
    insert.finalize();
  }
  const { notes, format } = reader.summary();
  const kept =
    bytes > 0
      ? `It holds ${bytes} bytes that are no text, and no table holds them: save_as saves them.`
      : `It holds no rows (format: ${format}): its text is in the column content, in pieces of about ${PIECE} characters.`;
  const columns = [{ name: 'content', type: 'text' as const }];
  return { rows: 0, tables: [{ name: table, rows, columns, notes: [kept] }], notes: [...notes, kept] };
}
