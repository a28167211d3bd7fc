/** `npm run check:regex`: each regular expression takes time in proportion to its text, or is listed and applied to bounded text; judges what is new, with --all everything. */

import { parseArgs } from 'node:util';
import { compare } from './check-regex/compare.ts';
import { readLists } from './check-regex/exceptions.ts';
import { findAll } from './check-regex/find-expressions.ts';
import { loadJudge } from './check-regex/judge.ts';
import { readJudged, remember } from './check-regex/judged.ts';

const found = findAll();
const lists = readLists();
let judged = 0;
const recheck = await loadJudge();
const judge: typeof recheck = (source, flags) => {
  judged += 1;
  return recheck(source, flags);
};
const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
const isAll = values.all;
const findings = compare(found, lists, isAll ? judge : remember(readJudged(), lists.slow, judge));
for (const finding of findings) console.error(finding);
const { literals, constructions } = found;
console.log(
  `${literals.length} regular expressions, ${judged} judged now, ${lists.slow.length} excused, ${constructions.length} built at run time`,
);
if (findings.length > 0) {
  console.error(
    'Make it linear, bound its text, or list it with the bound in scripts/check-regex/exceptions.yaml.',
  );
}
process.exitCode = findings.length === 0 && literals.length > 0 ? 0 : 1;
