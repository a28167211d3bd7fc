/** Tells texts of a table in which an e-mail address, a telephone number, or JSON or markup with personal members stands. */

import { maskEmails, maskFreeText } from '../../personal/free-text.ts';
import { isStructured, isThing, maskWalk } from '../../personal/mask-walk.ts';
import { rulesOf } from '../../personal/members.ts';

/** What is no code: every other text is spared the search. */
const MAY_HOLD = /[^\w.:/-]/;

/** For the texts of one column. */
export function createContactSearch(column: string): (text: string) => boolean {
  const search = isThing(column) ? maskEmails : maskFreeText;
  let isFound = false;
  const find = () => {
    isFound = true;
    return undefined;
  };
  return (text) => {
    if (!MAY_HOLD.test(text)) return false;
    isFound = false;
    search(text, find);
    return isFound || (isStructured(text) && holdsMembers(text));
  };
}

/** In JSON or markup that stands in a text. */
function holdsMembers(text: string): boolean {
  return maskWalk(text, { rule: rulesOf({}), mark: () => '' }).count > 0;
}
