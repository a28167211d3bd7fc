/** What stands between the elements of a list that is sent as one text; `multi` has none, since each is sent by itself. */

export const SEPARATORS = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|' } as const;
