/** The one folder of the person's, as one session uses it. */
import type { FilesFolder } from './types.ts';
export function openFilesFolder(options: { find(): Promise<string>; now(): number }): FilesFolder {
  throw new Error(`not written yet: ${String(options.now())}`);
}
