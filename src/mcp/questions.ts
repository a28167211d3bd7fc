/** Questions to the person: what the connected client can show, and the round trip there and back. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const capabilitiesSchema = z.looseObject({
  elicitation: z.looseObject({ form: z.unknown(), url: z.unknown() }).optional(),
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

export type PersonAnswer = 'accept' | 'decline' | 'cancel';

/** The person behind the client, as far as the client lets us reach them. */
export interface Person {
  /** True when the client can show a question with a yes and a no. */
  canConfirm: boolean;
  /** True when the client can open an address for the person. */
  canOpenPage: boolean;
  /**
   * The answer that came with this call, with the `state` that went out with the question.
   * Undefined when nothing has been asked yet. `state` comes back through the client: check it.
   */
  answer(key: string): { action: PersonAnswer; state: string | undefined } | undefined;
  /** @throws AskPerson always: the tool runs again, from its start, when the person has answered. */
  confirm(key: string, message: string, state: string): never;
  /** @throws AskPerson always. */
  openPage(key: string, message: string, url: string, state: string): never;
}

/**
 * Reads what the client declared: with the request in the 2026-07-28 era, at `initialize` before it.
 * @param redact takes every secret out of what the person is shown
 */
export function createPerson(
  ctx: ServerContext,
  connected: ClientCapabilities | undefined,
  redact: (text: string) => string,
): Person {
  const envelope = envelopeSchema.safeParse(ctx.mcpReq.envelope);
  const declared = envelope.success ? envelope.data[CLIENT_CAPABILITIES_META_KEY] : connected;
  const elicitation = declared?.elicitation;
  const canOpenPage = elicitation?.url !== undefined;
  return {
    canOpenPage,
    // An empty declaration means form mode, as before modes had names.
    canConfirm: elicitation !== undefined && (elicitation.form !== undefined || !canOpenPage),
    answer(key) {
      const view = inputResponse(ctx.mcpReq.inputResponses, key);
      if (view.kind !== 'elicit') return undefined;
      return { action: view.action, state: ctx.mcpReq.requestState<string>() };
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
