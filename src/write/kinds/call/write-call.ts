/** A call of any operation that writes: one, several as a list, or one with a document. */

import { InputError } from '../../../base/errors.ts';
import { checkSaveAs } from '../../../tell/documents/save-documents.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import type { WriteStructured } from '../../answer/tell-write.ts';
import { addWriteValue } from '../../answer/write-value.ts';
import { prepareWrite } from '../../plan/prepare-write.ts';
import type { ServiceArguments } from '../../plan/resolve-arguments.ts';
import type { HowToWrite, ToolContext } from '../../tool-context.ts';
import { writeOne } from '../../write-one.ts';
import { type DocumentArgument, documentArgument } from '../document/document-argument.ts';
import { refuseBesideDocument, writeDocument } from '../document/write-document.ts';
import { callsArgument, refuseBeside, runCalls } from './many-calls.ts';

/** What stands in the place of parameters and body. */
export const insteadArguments = { calls: callsArgument, document: documentArgument };

interface AskedCall extends ServiceArguments, HowToWrite {
  account: string;
  /** By its name, or a part of it that no other has. */
  operation: string;
  calls?: readonly unknown[] | undefined;
  document?: DocumentArgument | undefined;
  /** Of what the service answers. */
  select?: readonly string[] | undefined;
}

/** @throws AppError; AskPerson while the person is asked */
export async function writeCall(
  { account, operation: name, parameters, body, calls, document, select, ...how }: AskedCall,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { saveAs } = how;
  const registry = await ctx.session.program.registry();
  const { operation, note } = registry.resolve(name);
  if (operation.effect === 'read') {
    throw new InputError(`${operation.id} only reads; nothing was sent.`, 'Call it with read_operation.');
  }
  await checkSaveAs(saveAs);
  if (calls !== undefined) {
    refuseBeside(calls, { parameters, body, select, document });
    return runCalls({ operation, account, calls, ...how }, ctx);
  }
  const asked = { parameters, body };
  if (document !== undefined) {
    refuseBesideDocument({ select, save_as: saveAs });
    return writeDocument({ operation, account, asked, document, ...how }, ctx);
  }
  if (how.stop === true) throw new InputError('"stop" ends a list of calls; give the calls that began it.');
  const prepared = await prepareWrite({ operation, account, asked }, ctx);
  const { answer, response } = await writeOne({ prepared, ...how, remark: note }, ctx);
  if (response === undefined) return answer;
  return addWriteValue(answer, { write: prepared, response, saveAs, select, remark: note }, ctx);
}
