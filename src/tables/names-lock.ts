/** Lets one process at a time choose names in an account's folder. */

import { join } from 'node:path';
import { withFolderLock } from '../folder-lock.ts';

export function withNamesLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  return withFolderLock(join(folder, 'names.lock'), work);
}
