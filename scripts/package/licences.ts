/** Which licences we ship: permissive ones, whose only wish is that their notice travels along. */

import satisfies from 'spdx-satisfies';

const ALLOWED = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
];

/** True when one of the ways to read the SPDX expression is allowed; false for none and for what is no SPDX expression. */
export function isAllowed(licence: string): boolean {
  try {
    return satisfies(licence, ALLOWED);
  } catch {
    return false;
  }
}
