/** Reads the resources; whatever goes wrong is told in the same words as a tool tells it. */

import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { buildAnswer } from '../../answers/answer.ts';
import { describeItem } from '../../answers/item.ts';
import { InputError } from '../../errors.ts';
import { describeOperation } from '../../service/describe/describe.ts';
import { listOperations } from '../../service/describe/list-operations.ts';
import { marketplaceName } from '../../service/facts/marketplaces.ts';
import { errorText } from '../error-result.ts';
import { DECISIONS } from '../generated/decisions.ts';
import type { Services } from '../tool-context.ts';

const LISTING = ['summaries', 'issues', 'offers', 'fulfillmentAvailability'];

export async function readOperations(services: Services): Promise<ReadResourceResult> {
  return told(services, async () =>
    textOf('seller://operations', listOperations(await services.registry()).text),
  );
}

export async function readDecisions(): Promise<ReadResourceResult> {
  return textOf('seller://decisions', DECISIONS, 'text/markdown');
}

export async function readOperation(uri: URL, id: string, services: Services): Promise<ReadResourceResult> {
  return told(services, async () => {
    const operation = (await services.registry()).find(decode(id));
    return textOf(uri.href, describeOperation(operation).text);
  });
}

/** The same call, through the same client, as read_operation with getListingsItem makes. */
export async function readItem(
  uri: URL,
  sku: string,
  services: Services,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  return told(services, async () => {
    const { account, answerTokens: maxTokens } = services.config();
    const operation = (await services.registry()).find('listings-items/getListingsItem');
    const parameters = { sku: decode(sku), includedData: LISTING };
    const answer = await (await services.client()).call({ operation, account, parameters }, { signal });
    const body = services.redactor.redactJson(answer.body);
    const options = { whole: body, now: services.now(), marketplaceName, complete: true };
    const describe = (value: unknown, room: number) => describeItem(value, { ...options, maxTokens: room });
    return textOf(uri.href, buildAnswer(body, { maxTokens, describe }).text);
  });
}

export async function listAnswers(services: Services): Promise<ListResourcesResult> {
  const kept = (await services.answers()).list();
  return {
    resources: kept.map(({ uri, name }) => ({ uri, name, mimeType: 'application/json' })),
  };
}

export async function readAnswer(uri: URL, services: Services): Promise<ReadResourceResult> {
  const kept = (await services.answers()).read(uri.href);
  if (kept === undefined)
    throw new ResourceNotFoundError(
      uri.href,
      'This answer is no longer kept: only the last 20 are. Make the call again.',
    );
  return textOf(uri.href, kept, 'application/json');
}

/** @throws InputError for an address that is not percent-encoded text. */
function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new InputError(
      'The address is not percent-encoded UTF-8.',
      'Encode what is no letter or digit, as in a%20b.',
    );
  }
}

async function told(
  services: Services,
  read: () => Promise<ReadResourceResult>,
): Promise<ReadResourceResult> {
  try {
    return await read();
  } catch (error) {
    const code =
      error instanceof InputError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, services.redactor.redact(errorText(error)));
  }
}

function textOf(uri: string, text: string, mimeType = 'text/plain'): ReadResourceResult {
  return { contents: [{ uri, text, mimeType }] };
}
