/** No restricted data token is asked for where its answer would only be masked: such a call is refused before anything is sent. */

import { InputError, type Problem } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import { innerRequests } from '../../service/facts/inner-requests.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { fitsTemplate } from '../../service/facts/path-template.ts';
import { maskedOnly } from '../../service/facts/restricted.ts';
import { own } from '../../service/facts/schema-parts.ts';
import { MAX_INNER_REQUESTS } from './inner-requests.ts';

const SELLS_TOKENS = 'tokens/createRestrictedDataToken';

/** @throws InputError for an operation, or for a token, that would bring nothing but masked data */
export function refuseMaskedOnly(operation: Operation, body: unknown): void {
  const isMaskedOnly = maskedOnly.some(
    (one) =>
      one.operation === operation.id && one.element === undefined && operation.auth.kind === 'restricted',
  );
  if (isMaskedOnly) throw new InputError(`${operation.id} ${WHOLE} ${NOT_SENT}`, HINT);
  const problems = operation.id === SELLS_TOKENS ? problemsOf(body) : [];
  if (problems.length > 0) {
    throw new InputError(
      `${operation.id} asks for data that are only masked here. ${NOT_SENT}`,
      HINT,
      problems,
    );
  }
}

const WHOLE = 'returns nothing but personal data of the buyer, which are masked here.';
const NOT_SENT = 'No restricted data token was asked for, and nothing was sent.';
const HINT =
  'Town, region and country of an order: orders/getOrderAddress, or the data element shippingAddress. Buyers\u2019 names ' +
  'and addresses for the person: collect_data with a restricted report of orders, saved as a file. To show such data to the ' +
  'assistant, the person sets --personal-data=show (SELLER_PERSONAL_DATA) and starts the server again.';

/** What is wrong in itself with a resource is told by the checks of every call. */
function problemsOf(body: unknown): Problem[] {
  const list = isJsonObject(body) ? own(body, innerRequests[SELLS_TOKENS]?.list ?? '') : undefined;
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_INNER_REQUESTS).flatMap((resource: unknown, at) => {
    if (!isJsonObject(resource) || typeof resource.path !== 'string' || resource.method !== 'GET') return [];
    const { path, dataElements } = resource;
    const meant = maskedOnly.filter((one) => fitsTemplate(one.path, path));
    const place = `body.restrictedResources.${at}`;
    if (meant.some(({ element }) => element === undefined)) return [{ path: place, message: WHOLE_RESOURCE }];
    const elements: readonly unknown[] = Array.isArray(dataElements) ? dataElements : [];
    return meant
      .filter(({ element }) => elements.includes(element))
      .map(({ element }) => ({
        path: `${place}.dataElements`,
        message: `must not hold ${element}: ${MASKED}`,
      }));
  });
}

const MASKED = 'all that it stands for is masked';
const WHOLE_RESOURCE = `must be left out: ${MASKED}`;
