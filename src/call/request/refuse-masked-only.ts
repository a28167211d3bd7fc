/** No restricted data token is asked for where its answer would only be masked: such a call is refused before anything is sent. */

import { InputError, type Problem } from '../../base/errors.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { fitsTemplate } from '../../service/facts/path-template.ts';
import { maskedOnly } from '../../service/facts/restricted.ts';
import { listInnerRequests } from './check-inner-requests.ts';

const SELLS_TOKENS = 'tokens/createRestrictedDataToken';

/** @throws InputError for an operation, or for a token, that would bring nothing but masked data */
export function refuseMaskedOnly(operation: Operation, body: unknown): void {
  const isMaskedOnly = maskedOnly.some(
    (one) =>
      one.operation === operation.id && one.element === undefined && operation.auth.kind === 'restricted',
  );
  if (isMaskedOnly) throw new InputError(`${operation.id} ${MASKED_WHOLE} ${NO_TOKEN}`, MASKED_HINT);
  const problems = operation.id === SELLS_TOKENS ? problemsOf(operation, body) : [];
  if (problems.length > 0) {
    throw new InputError(
      `${operation.id} asks for data that are only masked here. ${NO_TOKEN}`,
      MASKED_HINT,
      problems,
    );
  }
}

const MASKED_WHOLE = 'returns nothing but personal data of the buyer, which are masked here.';
const NO_TOKEN = 'No restricted data token was asked for, and nothing was sent.';
const MASKED_HINT =
  'Town, region and country of an order: orders/getOrderAddress, or the data element shippingAddress. Buyers\u2019 names ' +
  'and addresses for the person: collect_data with a restricted report of orders, saved as a file. To show such data to the ' +
  'assistant, the person sets --personal-data=show (SELLER_PERSONAL_DATA) and starts the server again.';

function problemsOf(operation: Operation, body: unknown): Problem[] {
  return listInnerRequests(operation, body).flatMap(({ request: { path, method, dataElements }, at }) => {
    if (typeof path !== 'string' || method !== 'GET') return [];
    const meant = maskedOnly.filter((one) => fitsTemplate(one.path, path));
    if (meant.some(({ element }) => element === undefined)) return [{ path: at, message: WHOLE_RESOURCE }];
    const elements: readonly unknown[] = Array.isArray(dataElements) ? dataElements : [];
    return meant
      .filter(({ element }) => elements.includes(element))
      .map(({ element }) => ({
        path: `${at}.dataElements`,
        message: `must not hold ${element}: ${MASKED_PART}`,
      }));
  });
}

const MASKED_PART = 'all that it stands for is masked';
const WHOLE_RESOURCE = `must be left out: ${MASKED_PART}`;
