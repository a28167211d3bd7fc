/** The places that were given out for uploads: for which content type and MD5, and what has arrived there. */

import { randomUUID } from 'node:crypto';

export interface UploadSlot {
  id: string;
  /** The content type that the upload must have; undefined if it does not matter. */
  contentType?: string;
  /** Content-MD5, base64. */
  md5?: string;
  arrived?: Buffer;
}

export type UploadStore = ReturnType<typeof createUploadStore>;

/** Given out and kept at most; the oldest go first. */
const MAX_SLOTS = 1_000;

export function createUploadStore() {
  const slots = new Map<string, UploadSlot>();
  return {
    open(about: Pick<UploadSlot, 'contentType' | 'md5'>, prefix: string): UploadSlot {
      const slot = { id: `${prefix}${randomUUID()}`, ...about };
      slots.set(slot.id, slot);
      const [oldest] = slots.keys();
      if (slots.size > MAX_SLOTS && oldest !== undefined) slots.delete(oldest);
      return slot;
    },
    find: (id: string) => slots.get(id),
  };
}
