/** Compares the expressions found with the list of excused ones: both must agree. */

import type { Exception, Lists } from './exceptions.ts';
import { type Construction, type Expressions, textOf } from './find-expressions.ts';
import type { Judge } from './judge.ts';

/** One line for each expression that is neither fast nor excused, and for each excuse that is no longer needed. */
export function compare(found: Expressions, lists: Lists, judge: Judge): string[] {
  return [...compareLiterals(found, lists.slow, judge), ...compareConstructions(found, lists.constructed)];
}

function compareLiterals({ literals }: Expressions, excused: readonly Exception[], judge: Judge): string[] {
  const verdicts = new Map<string, ReturnType<Judge>>();
  const used = new Set<Exception>();
  const findings = literals.flatMap(({ file, line, source, flags }) => {
    const text = textOf({ source, flags });
    const verdict = verdicts.get(text) ?? judge(source, flags);
    verdicts.set(text, verdict);
    if (verdict.status === 'safe') return [];
    const excuse = excused.find((each) => each.file === file && each.text === text);
    if (excuse === undefined) return [`${file}:${line}: ${text} is ${verdict.status} (${verdict.what})`];
    used.add(excuse);
    return [];
  });
  return [...findings, ...unneeded(excused, used)];
}

/** The same call in two places needs two entries: another place means another text. */
function compareConstructions({ constructions }: Expressions, listed: readonly Exception[]): string[] {
  const used = new Set<Exception>();
  const findings = constructions.flatMap(({ file, line, text }: Construction) => {
    const entry = listed.find((each) => each.file === file && each.text === text && !used.has(each));
    if (entry === undefined) return [`${file}:${line}: ${text} is built at run time and not listed`];
    used.add(entry);
    return [];
  });
  return [...findings, ...unneeded(listed, used)];
}

function unneeded(listed: readonly Exception[], used: ReadonlySet<Exception>): string[] {
  return listed
    .filter((each) => !used.has(each))
    .map(({ file, text }) => `${file}: ${text} is listed, but is not there or is not slow`);
}
