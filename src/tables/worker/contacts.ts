/** Tells texts of a table in which an e-mail address or a telephone number stands. */

import { maskFreeText } from '../../personal/free-text.ts';

export function holdsContact(text: string): boolean {
  let isFound = false;
  maskFreeText(text, () => {
    isFound = true;
    return undefined;
  });
  return isFound;
}
