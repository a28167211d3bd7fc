/** Saves a view as a file for the user: one self-contained page to store or send, which loads nothing. */

import type { PageData, View } from '../../views/data.ts';
import type { QueryResult } from '../data/tables/table-types.ts';
import { readViewBundle, renderViews } from '../page/views.ts';
import type { ReadingSession } from '../render/reading-session.ts';
import { OWN_PAGE } from '../store/files/endings.ts';
import type { SavedFile } from '../store/files/files.ts';
import { describeRows } from './collected.ts';

interface SavedPage {
  name: string;
  title: string;
  account: string;
  isSandbox: boolean;
  views: readonly View[];
}

type PageSession = Pick<ReadingSession, 'program' | 'files' | 'personal' | 'redactor'>;

/**
 * Saves the page.
 * @throws InputError | ConfigError when it cannot be saved
 */
export async function savePage({ name, ...page }: SavedPage, session: PageSession): Promise<SavedFile> {
  const [bundle, files, { isMasking }] = await Promise.all([
    readViewBundle(session.program.entryFile),
    session.files(),
    session.personal(),
  ]);
  const data: PageData = { ...page, madeAt: new Date(session.program.now()).toISOString() };
  const bytes = new TextEncoder().encode(renderViews(bundle, data, { isFile: true }).html);
  async function* content() {
    yield bytes;
  }
  return files.save(name, content(), { ending: OWN_PAGE, personal: !isMasking, bytes: bytes.length });
}

/**
 * Returns the function with which `answerQuery` saves the rows of a query, with a chart of numbers by
 * category or time.
 */
export function rowsPage(session: PageSession, account: string) {
  return (name: string, result: QueryResult): Promise<SavedFile> => {
    const view = describeRows('Rows', result, session.redactor.redact);
    return savePage({ name, title: nameOf(name), account, isSandbox: false, views: [view] }, session);
  };
}

/** Returns `Orders by week` for `Orders by week.html`. */
const nameOf = (name: string) => name.replace(/\.html$/i, '');
