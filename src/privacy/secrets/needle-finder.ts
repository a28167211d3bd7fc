/** Checks whether a text contains any of many known texts, in one pass however many there are. */

/** The number of characters that are compared together. */
const BLOCK = 3;

/**
 * The limit of the characters at the start of each needle that are indexed; a longer window would allow no
 * longer skips.
 */
const MAX_WINDOW = 16;

const SLOTS = 1 << 15;

/** The index by Wu and Manber: it gives the distance to the next look by the last three characters. */
interface ShiftIndex {
  /** The number of indexed characters of every needle. */
  window: number;
  /** The shift by block; 0 if a window may end here. */
  shifts: Uint8Array;
  /** The needles whose window ends in a block, by block. */
  ending: ReadonlyMap<number, readonly string[]>;
}

/**
 * Returns the same as `needles.some((needle) => text.includes(needle))`, ten to a hundred times as fast.
 * @param needles each of at least three characters
 */
export function createNeedleFinder(needles: readonly string[]): (text: string) => boolean {
  const shortest = needles.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY);
  if (needles.length === 0) return () => false;
  if (shortest < BLOCK) return (text) => needles.some((needle) => text.includes(needle));
  const index = buildIndex(needles, Math.min(shortest, MAX_WINDOW));
  return (text) => includesAny(text, index);
}

function buildIndex(needles: readonly string[], window: number): ShiftIndex {
  const shifts = new Uint8Array(SLOTS).fill(window - BLOCK + 1);
  const ending = new Map<number, string[]>();
  for (const needle of needles) {
    for (let end = BLOCK - 1; end < window; end += 1) {
      const slot = getSlot(needle, end);
      shifts[slot] = Math.min(shifts[slot] ?? 0, window - 1 - end);
    }
    const last = getSlot(needle, window - 1);
    const same = ending.get(last);
    if (same === undefined) ending.set(last, [needle]);
    else same.push(needle);
  }
  return { window, shifts, ending };
}

function includesAny(text: string, { window, shifts, ending }: ShiftIndex): boolean {
  for (let end = window - 1; end < text.length; ) {
    const slot = getSlot(text, end);
    const shift = shifts[slot] ?? 1;
    if (shift === 0 && isNeedleAt(text, end - window + 1, ending.get(slot))) return true;
    end += shift === 0 ? 1 : shift;
  }
  return false;
}

const isNeedleAt = (text: string, start: number, needles: readonly string[] = []) =>
  needles.some((needle) => text.startsWith(needle, start));

/** Returns the slot of the block that ends here. */
function getSlot(text: string, end: number): number {
  const mixed = (text.charCodeAt(end) << 10) ^ (text.charCodeAt(end - 1) << 5) ^ text.charCodeAt(end - 2);
  return mixed & (SLOTS - 1);
}
