/** The offsets of time zone names in the 23 marketplaces; the marketplace decides ambiguous names. */

import offsets from './zones.json' with { type: 'json' };

const OFFSETS: Readonly<Record<string, string>> = offsets;

/** India and Ireland, North America and China, Saudi Arabia and Canada use one name each for two zones. */
const BY_MARKETPLACE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  IST: { A21TJRUUN4KGV: '+05:30', A28R8C7NBKEWEA: '+01:00' },
  CST: { ATVPDKIKX0DER: '-06:00', A2EUQ1WTGCTBG2: '-06:00', A1AM78C64UM0Y8: '-06:00' },
  AST: { A17E79C6D8DWNP: '+03:00', A2EUQ1WTGCTBG2: '-04:00' },
};

/** Returns undefined for an unknown name, or one that could mean another zone here. */
export function offsetOfZone(name: string, marketplaceIds: readonly string[]): string | undefined {
  if (Object.hasOwn(OFFSETS, name)) return OFFSETS[name];
  const meanings = Object.hasOwn(BY_MARKETPLACE, name) ? BY_MARKETPLACE[name] : undefined;
  const found = new Set(marketplaceIds.map((id) => meanings?.[id]));
  const [offset] = found;
  return found.size === 1 ? offset : undefined;
}
