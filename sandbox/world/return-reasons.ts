/** Why made-up buyers send something back, in the words of the service's own warehouses. */
export const RETURN_REASONS = [
  'NOT_COMPATIBLE',
  'DAMAGED_BY_CARRIER',
  'NOT_AS_DESCRIBED',
  'UNWANTED_ITEM',
] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];
