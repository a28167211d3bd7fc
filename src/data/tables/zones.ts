/** Offsets of the names of time zones in the 23 marketplaces; a name with several meanings is decided by the marketplace. */

const OFFSETS: Readonly<Record<string, string>> = {
  UTC: '+00:00',
  GMT: '+00:00',
  WET: '+00:00',
  WEST: '+01:00',
  BST: '+01:00',
  CET: '+01:00',
  MET: '+01:00',
  MEZ: '+01:00',
  CEST: '+02:00',
  MEST: '+02:00',
  MESZ: '+02:00',
  EET: '+02:00',
  SAST: '+02:00',
  EEST: '+03:00',
  TRT: '+03:00',
  GST: '+04:00',
  SGT: '+08:00',
  AWST: '+08:00',
  JST: '+09:00',
  ACST: '+09:30',
  AEST: '+10:00',
  ACDT: '+10:30',
  AEDT: '+11:00',
  BRT: '-03:00',
  BRST: '-02:00',
  ADT: '-03:00',
  NST: '-03:30',
  NDT: '-02:30',
  EST: '-05:00',
  EDT: '-04:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  AKST: '-09:00',
  AKDT: '-08:00',
  HST: '-10:00',
};

/** India and Ireland, North America and China, Saudi Arabia and Canada use one name each for two zones. */
const BY_MARKETPLACE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  IST: { A21TJRUUN4KGV: '+05:30', A28R8C7NBKEWEA: '+01:00' },
  CST: { ATVPDKIKX0DER: '-06:00', A2EUQ1WTGCTBG2: '-06:00', A1AM78C64UM0Y8: '-06:00' },
  AST: { A17E79C6D8DWNP: '+03:00', A2EUQ1WTGCTBG2: '-04:00' },
};

/** Undefined for a name that is not known, or that could mean another zone here. */
export function offsetOfZone(name: string, marketplaceIds: readonly string[]): string | undefined {
  if (Object.hasOwn(OFFSETS, name)) return OFFSETS[name];
  const meanings = Object.hasOwn(BY_MARKETPLACE, name) ? BY_MARKETPLACE[name] : undefined;
  const found = new Set(marketplaceIds.map((id) => meanings?.[id]));
  const [offset] = found;
  return found.size === 1 ? offset : undefined;
}
