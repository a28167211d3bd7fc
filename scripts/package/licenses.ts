/** Which licenses we ship: permissive ones, which only require that their notice is included. */

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

/** True when one of the ways to read the SPDX expression is allowed; false for none and for anything that is not an SPDX expression. */
export function isAllowed(license: string): boolean {
  try {
    return satisfies(license, ALLOWED);
  } catch {
    return false;
  }
}
