/** Files that are being written: named so that they are never shown, and removed when whoever wrote them is gone. */

import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import type { Place } from './place.ts';

/** Begins with a dot, so no name that can be saved or opened is one. */
const PART = /^\.seller-commerce-[0-9a-f]{16}\.part$/;

/** A part that nobody has written to for this long: a download ends after 30 seconds without a byte. */
const LEFT_MS = 600_000;

export function newPartName(): string {
  return `.seller-commerce-${randomBytes(8).toString('hex')}.part`;
}

/** By the computer's own clock, as the files' times are. What cannot be removed stays. */
export async function removeLeftParts(place: Place): Promise<void> {
  const names = await readdir(place.at('.'));
  for (const name of names.filter((one) => PART.test(one))) {
    const found = await lstat(place.at(name)).catch(() => undefined);
    if (found === undefined || Date.now() - found.mtimeMs < LEFT_MS) continue;
    await rm(place.at(name), { force: true }).catch(() => undefined);
  }
}
