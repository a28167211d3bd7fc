/** The context that every point of the benchmark receives. */

import { PROGRAMS, type Program } from './programs.ts';
import type { Row } from './report.ts';
import { Session, type SessionOptions } from './session.ts';

export interface Context {
  programs: typeof PROGRAMS;
  /** Few repetitions: shows that everything runs; the figures mean little. */
  quick: boolean;
  start(program: Program, options?: SessionOptions): Session;
  /** Started, and ready for calls. */
  open(program: Program, options?: SessionOptions): Promise<Session>;
  say(text: string): void;
}

export type Point = (context: Context) => Promise<Row[]>;

export function createContext(quick: boolean): Context {
  const start: Context['start'] = (program, options) => new Session(program, options);
  return {
    programs: PROGRAMS,
    quick,
    start,
    async open(program, options) {
      const session = start(program, options);
      await session.initialize();
      return session;
    },
    say: (text) => process.stderr.write(`${text}\n`),
  };
}
