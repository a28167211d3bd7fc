/** A document that holds no rows, kept as it is: its text in pieces, in order. */

import type { ColumnInfo, DocumentOutcome } from '../types.ts';
import type { DocumentParts } from './load-document-items.ts';

/** Characters of one piece: few enough for SQLite's functions, many enough that most documents have one. */
const PIECE = 1_000_000;

/** @throws DocumentError */
export async function loadText(
  table: string,
  { database, open, onPass, isRestricted }: DocumentParts,
): Promise<DocumentOutcome> {
  database.exec(`CREATE TABLE "${table}" (item INTEGER PRIMARY KEY, content TEXT)`);
  const insert = database.prepare(`INSERT INTO "${table}" VALUES (NULL, ?)`);
  const reader = open();
  onPass(reader);
  let rows = 0;
  let text = '';
  let bytes = 0;
  const flush = (end: number) => {
    const piece = text.slice(0, end);
    text = text.slice(end);
    if (piece === '') return;
    insert.run([piece.replaceAll('\0', '\uFFFD')]);
    rows += 1;
  };
  try {
    for await (const batch of reader.batches()) {
      if (batch.kind === 'bytes') bytes += batch.bytes.length;
      if (batch.kind === 'text') text += batch.text;
      // Behind an element or a line: half a value is not known for what it is.
      if (text.length >= PIECE) flush(text.lastIndexOf('>') + 1 || text.lastIndexOf('\n') + 1 || text.length);
    }
    flush(text.length);
  } finally {
    insert.finalize();
  }
  const { notes, format } = reader.summary();
  const kept =
    bytes > 0
      ? `It holds ${bytes} bytes that are no text, and no table holds them: save_as saves them.`
      : `It holds no rows (format: ${format}): its text is in the column content, in pieces of about ${PIECE} characters.`;
  const content: ColumnInfo = { name: 'content', type: 'text', ...personalOf(format, isRestricted) };
  return {
    rows: 0,
    tables: [{ name: table, rows, columns: [content], notes: [kept] }],
    notes: [...notes, kept],
  };
}

/** Elements tell what they hold; any other text only whether it is a report about buyers. */
function personalOf(format: string, isRestricted: boolean): Pick<ColumnInfo, 'personal' | 'members'> {
  if (format === 'xml') return isRestricted ? { personal: 'buyer text', members: [] } : { members: [] };
  return { personal: isRestricted ? 'buyer text' : 'free text' };
}
