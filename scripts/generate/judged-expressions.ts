/** Generates the list of the regular expressions that were judged linear; those that are on it are not judged again. */

import { readLists } from '../check-regex/exceptions.ts';
import { findAll } from '../check-regex/find-expressions.ts';
import { loadJudge } from '../check-regex/judge.ts';
import { JUDGED_FILE, listJudged, readJudged, remember } from '../check-regex/judged.ts';
import type { GeneratedFile } from './generated-file.ts';

export async function generateJudged(): Promise<GeneratedFile[]> {
  const judge = remember(readJudged(), readLists().slow, await loadJudge());
  return [{ path: JUDGED_FILE, text: listJudged(findAll().literals, judge) }];
}
