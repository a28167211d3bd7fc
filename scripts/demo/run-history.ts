/** Runs the program's own history command, as a person would. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { PROGRAM } from '../../test/helpers/sessions.ts';

const run = promisify(execFile);
const jsonSchema = z.looseObject({ entries: z.array(z.looseObject({ outcome: z.string() })) });

export async function runHistory(stateDir: string) {
  const history = async (...flags: string[]) =>
    (await run(process.execPath, [PROGRAM, 'history', '--state-dir', stateDir, ...flags])).stdout;
  const [text, json] = await Promise.all([history(), history('--json')]);
  return { text, entries: jsonSchema.parse(JSON.parse(json)).entries };
}
