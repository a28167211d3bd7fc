/** Tells texts of a table in which an e-mail address, a telephone number, or JSON with personal members stands. */

import { isDeeperThan, parseJson } from '../../json.ts';
import { maskEmails, maskFreeText } from '../../personal/free-text.ts';
import { isThing, maskWalk } from '../../personal/mask-walk.ts';
import { rulesOf } from '../../personal/members.ts';

/** What is no code: every other text is spared the search. */
const MAY_HOLD = /[^\w.:/-]/;
const IS_JSON = /^\s*[{[]/;

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
    return isFound || (IS_JSON.test(text) && holdsMembers(text));
  };
}

/** In JSON that stands in a text. */
function holdsMembers(text: string): boolean {
  const inside = parseJson(text);
  return !isDeeperThan(inside) && maskWalk(inside, { rule: rulesOf({}), mark: () => '' }).count > 0;
}
