/** What every benchmark point receives. */

import type { Program, Programs } from './programs.ts';
import type { Row } from './report.ts';
import { Session, type SessionOptions } from './session.ts';

export interface Context {
  programs: Programs;
  /** Few repetitions: shows that everything runs; the figures mean little. */
  quick: boolean;
  /** The Node that runs the measured programs. */
  node: string;
  start(program: Program, options?: SessionOptions): Session;
  say(text: string): void;
}

export type Point = (context: Context) => Promise<Row[]>;

export function createContext(programs: Programs, quick: boolean, node: string): Context {
  return {
    programs,
    quick,
    node,
    start: (program, options) => new Session(program, { ...options, node }),
    say: (text) => process.stderr.write(`${text}\n`),
  };
}
