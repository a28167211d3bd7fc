/** Questions to the person: what the connected client can show, and the round trip there and back. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { APPROVAL_KEY, type ClientUser } from '../render/client-user.ts';
import type { CallContext } from './call-context.ts';

const capabilitiesSchema = z.looseObject({
  elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }).optional(),
});
const envelopeSchema = z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: capabilitiesSchema });

/** Thrown to end this round: the client shows the request, then calls the tool again with the person's answer. */
export class AskPerson extends Error {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super('The person is being asked.');
    this.name = 'AskPerson';
    this.result = result;
  }
}

/**
 * Reads what the client declared: with the request in the 2026-07-28 era, at `initialize` before it.
 * @param redact takes every secret out of what the person is shown
 * @param isElsewhere of a person at another machine
 */
export function createPerson(
  ctx: CallContext,
  connected: ClientCapabilities | undefined,
  redact: (text: string) => string,
  isElsewhere = false,
): ClientUser {
  const { envelope: given } = ctx.mcpReq;
  const envelope = given === undefined ? undefined : envelopeSchema.safeParse(given);
  const declared = envelope?.success ? envelope.data[CLIENT_CAPABILITIES_META_KEY] : connected;
  const elicitation = declared?.elicitation;
  // A page of ours opens at the machine of the program alone.
  const canOpenPage = elicitation?.url !== undefined && !isElsewhere;
  return {
    canOpenPage,
    // An empty declaration means form mode, as before modes had names.
    canConfirm:
      elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    isHere: !isElsewhere,
    answer(key) {
      const { inputResponses = {}, droppedInputResponseKeys: dropped = [] } = ctx.mcpReq;
      if (!Object.hasOwn(inputResponses, key) && !dropped.includes(key)) return undefined;
      const view = inputResponse(inputResponses, key);
      const given = ctx.mcpReq.requestState();
      const state = typeof given === 'string' ? given : undefined;
      if (view.kind !== 'elicit') return { action: 'failed', state };
      // The form of an approval comes back with its content, which is empty; an address has none.
      const isBlank = view.action === 'accept' && key === APPROVAL_KEY && view.content === undefined;
      return { action: isBlank ? 'failed' : view.action, state };
    },
    confirm(key, message, state) {
      const requestedSchema = { type: 'object' as const, properties: {} };
      const question = inputRequired.elicit({ message: redact(message), requestedSchema });
      throw new AskPerson(inputRequired({ inputRequests: { [key]: question }, requestState: state }));
    },
    openPage(key, message, url, state) {
      const question = inputRequired.elicitUrl({ message: redact(message), url });
      throw new AskPerson(inputRequired({ inputRequests: { [key]: question }, requestState: state }));
    },
  };
}
