/** How much is downloaded, for how long, and what room it needs: stated in the errors that refuse more. */

export interface DownloadLimits {
  /** Of one document, packed as it is. */
  bytes: number;
  /** Without a byte. */
  silenceMs: number;
  /** In all. */
  totalMs: number;
}

export const DOWNLOAD_LIMITS: DownloadLimits = {
  bytes: 1_000_000_000,
  silenceMs: 30_000,
  totalMs: 30 * 60_000,
};

/** A signed address lives five minutes; after four it is not tried again. */
export const YOUNG_ADDRESS_MS = 4 * 60_000;

/** Redirects followed. */
export const MAX_REDIRECTS = 3;

/** Bytes of disk for each downloaded one: the file itself, and the table, which takes as much as the unpacked text. */
export const ROOM_FOR_PACKED = 12;
export const ROOM_FOR_PLAIN = 3;
