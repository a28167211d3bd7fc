/** How the demo is shown: scenes, calls and answers on a terminal, and the checks that decide its exit code. */

import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { CallOutcome, Session } from '../../test/helpers/sessions.ts';

export function createStage(out: Writable & { isTTY?: boolean }) {
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    out.isTTY === true || process.env.FORCE_COLOR !== undefined ? styleText(format, text) : text;
  const line = (text = '') => void out.write(`${text}\n`);
  const text = (block: string, mark = '  ') => {
    for (const each of block.trimEnd().split('\n')) line(`${mark}${each}`);
  };
  const failed: string[] = [];
  let passed = 0;

  return {
    line: (each: string) => line(`  ${each}`),
    text,
    title: (words: string) => line(style('bold', words)),
    scene: (words: string) => line(`\n${style(['bold', 'cyan'], `■ ${words}`)}`),
    person(question: string, answer: string) {
      line(style('yellow', '  The person is asked:'));
      text(question, style('yellow', '  │ '));
      line(style('yellow', `  └ ${answer}`));
    },
    async call(session: Session, name: string, args: Record<string, unknown>): Promise<CallOutcome> {
      line(style('dim', `  → ${name} ${JSON.stringify(args)}`));
      const outcome = await session.call(name, args);
      text(outcome.text, outcome.isError ? style('red', '  ✗ ') : '  ');
      return outcome;
    },
    check(what: string, isRight: boolean) {
      if (isRight) passed += 1;
      else failed.push(what);
      line(isRight ? style('green', `  ✓ ${what}`) : style('red', `  ✗ WRONG: ${what}`));
    },
    /** Prints the result; the exit code. */
    end(): number {
      line(
        `\n${failed.length === 0 ? style('green', `All ${passed} answers were correct.`) : style('red', `${failed.length} answers were wrong: ${failed.join('; ')}`)}`,
      );
      return failed.length === 0 ? 0 : 1;
    },
  };
}
