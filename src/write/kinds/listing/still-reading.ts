/** Listings are still being read when the call has to end: how far that is, as an answer; the same call joins it. */

import { AppError } from '../../../base/errors.ts';
import { count } from '../../../base/text/value-words.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';

/** Nothing was asked or sent. */
export class StillReading extends AppError {
  override readonly name = 'StillReading';
  readonly read: number;
  readonly of: number;

  constructor(read: number, of: number) {
    super(
      `Under way: ${count(read)} of ${count(of)} listings read, to compare them with what is wanted. Nothing has been asked or sent.`,
      'It goes on by itself. Call again with the same arguments: the list is shown when all are read.',
    );
    this.read = read;
    this.of = of;
  }
}

interface ReadingFacts extends Record<string, unknown> {
  outcome: 'under_way';
}

/** What comes of the work, or how far the reading is where it goes on longer than the call. */
export async function orStillReading<Facts>(
  account: string,
  work: Promise<ToolAnswer<Facts>>,
): Promise<ToolAnswer<Facts | ReadingFacts>> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StillReading)) throw error;
    const { message, hint, read, of } = error;
    return {
      text: `${message}\n${hint}`,
      structured: { outcome: 'under_way', account, note: message, next_step: hint, read, items: of },
    };
  }
}
