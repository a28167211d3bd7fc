/** Tells texts of a table in which an e-mail address, a telephone number, or JSON with personal members stands. */

import { isDeeperThan, parseJson } from '../../json.ts';
import { maskEmails, maskFreeText } from '../../personal/free-text.ts';
import { isThing, maskWalk } from '../../personal/mask-walk.ts';
import { rulesOf } from '../../personal/members.ts';

export function holdsContact(column: string, text: string): boolean {
  let isFound = false;
  const search = isThing(column) ? maskEmails : maskFreeText;
  search(text, () => {
    isFound = true;
    return undefined;
  });
  return isFound || (/^\s*[{[]/.test(text) && holdsMembers(text));
}

/** In JSON that stands in a text. */
function holdsMembers(text: string): boolean {
  const inside = parseJson(text);
  return !isDeeperThan(inside) && maskWalk(inside, { rule: rulesOf({}), mark: () => '' }).count > 0;
}
