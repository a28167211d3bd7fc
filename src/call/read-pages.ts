/** Reads the pages of an operation, if a part of them is of use too. */

import { AppError } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { CallInput, CallOptions, Client } from './client-types.ts';

export interface Pages {
  most: number;
  /** Name of the parameter that takes the token of the next page. */
  token: string;
  tokenIn(body: JsonObject): unknown;
}

/** Undefined, as the last, where a page cannot be read. @throws what ends the call */
export async function* readPages(
  client: Pick<Client, 'call'>,
  input: CallInput,
  { most, token: name, tokenIn }: Pages,
  call: CallOptions,
): AsyncGenerator<JsonObject | undefined> {
  let token: string | undefined;
  for (let page = 0; page < most; page += 1) {
    const parameters = { ...input.parameters, ...(token === undefined ? {} : { [name]: token }) };
    const body = await client.call({ ...input, parameters }, call).then(
      (answer) => answer.body,
      (error: unknown) => {
        if (call.signal?.aborted === true || !(error instanceof AppError)) throw error;
      },
    );
    const whole = isJsonObject(body) ? body : undefined;
    yield whole;
    const next = whole && tokenIn(whole);
    if (typeof next !== 'string' || next === '' || next === token) return;
    token = next;
  }
}
