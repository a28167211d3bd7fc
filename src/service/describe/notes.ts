/**
 * Formats further facts for calling an operation: paging, the operation that shows the result, signs of
 * refusal, and reviewed remarks.
 */

import { isMarketplaceName, openMarketplaceName, takesText } from '../facts/marketplace-members.ts';
import { notificationLines, SUBSCRIBES } from '../facts/notification-types.ts';
import type { Operation, Paging, RefusalSign } from '../facts/operation.ts';
import { membersIn, own } from '../facts/schema-parts.ts';
import { knownValues } from './generated/known-values.ts';

/** Returns lines with one fact each. */
export function notesOf(operation: Operation): string[] {
  const { id, paging, state, progress, refusals = [] } = operation;
  const values = Object.entries(own(knownValues, id) ?? {});
  return [
    ...(values.length === 0 ? [] : ['Values (told, not checked):']),
    ...values.map(([name, told]) => `  ${name}: ${told}`),
    ...(hasDateTime(operation) ? ['date-time: ISO 8601 with time zone, as 2026-01-31T00:00:00Z'] : []),
    ...(takesMarketplace(operation)
      ? ['Marketplaces: by ID, country code or English name (DE, Germany)']
      : []),
    ...(paging === undefined ? [] : [pagingLine(paging)]),
    ...(state === undefined ? [] : [`Read back with: ${state.operation}`]),
    ...(progress === undefined ? [] : [`How far it is: ${progress.operation}`]),
    ...(refusals.length === 0
      ? []
      : [`Not accepted, although the status is 2xx: ${refusals.map(refusalText).join('; ')}`]),
    ...(own(remarks, id) ?? []),
    ...(id === SUBSCRIBES ? notificationLines() : []),
  ];
}

function pagingLine({ by, input, output, alone, with: others = {} }: Paging): string {
  const where = input.in === 'body' ? `body.${input.name}` : input.name;
  const how =
    by === 'offset'
      ? `${where} is how many to pass over; ${output} is how many there are`
      : `send ${output} of the answer as ${where}`;
  const changed = Object.entries(others).map(([name, value]) => ` and ${name}: ${value}`);
  const filters = Object.keys(others).length === 0 ? 'any other parameter' : 'any other filter';
  return `Next page: ${how}${changed.join('')}${alone === true ? `, without ${filters}` : ''}`;
}

function refusalText({ member, when }: RefusalSign): string {
  if (when === 'filled') return `${member} holds anything`;
  return when === 'status' ? `${member} is 300 or more` : `${member} is ${when.join(' or ')}`;
}

function hasDateTime({ parameters, body, defs = {} }: Operation): boolean {
  const shapes = [...parameters.map(({ schema }) => schema), body?.schema ?? {}, defs];
  return JSON.stringify(shapes).includes('"format":"date-time"');
}

function takesMarketplace(operation: Operation): boolean {
  const { parameters, body, defs = {} } = operation;
  if (openMarketplaceName(operation) !== undefined) return true;
  const members = [body?.schema ?? {}, ...Object.values(defs)].flatMap((schema) => membersIn(schema));
  return [...parameters, ...members].some(
    ({ name, schema }) => isMarketplaceName(name) && takesText(schema, defs),
  );
}

const suppression =
  'An issue of severity WARNING can suppress a listing too: enforcements.actions says so (LISTING_SUPPRESSED, SEARCH_SUPPRESSED, CATALOG_ITEM_REMOVED, ATTRIBUTE_SUPPRESSED).';
const attributes = 'attributes are those of the product type: getDefinitionsProductType tells them.';

/** Remarks by operation ID, reviewed against the public definitions and guides. */
const feedDocument =
  'With document (a file, text or query), write_operation uploads it, creates the feed, follows it and tells what became of each message.';

const remarks: Readonly<Record<string, readonly string[]>> = {
  'feeds/createFeed': [
    `${feedDocument} Leave inputFeedDocumentId out then.`,
    'DONE means processed, not accepted: the processing report tells. One feed holds up to 25,000 messages.',
  ],
  'feeds/createFeedDocument': [`Not needed before createFeed. ${feedDocument}`],
  'uploads/createUploadDestinationForResource': [
    'With document, write_operation fills in contentMD5 and contentType and uploads. resource: aplus/2020-11-01/contentDocuments, or the path of a message without its first slash.',
  ],
  'fees/getMyFeesEstimateForSKU': [
    'Whatever is left out of the body is taken from the listing: price, currency, who ships, marketplace. For another price give body.FeesEstimateRequest.PriceToEstimateFees alone.',
  ],
  'listings-items/getListingsItem': [suppression],
  'listings-items/searchListingsItems': [suppression],
  'listings-items/putListingsItem': [
    `PUT replaces the whole listing: what is left out is removed. ${attributes}`,
    'ACCEPTED means that it will be processed: read the listing again for its issues.',
    suppression,
  ],
  'listings-items/patchListingsItem': [
    'path names one whole attribute (/attributes/item_name); nothing inside an attribute can be patched. value is a list of entries, told apart by their selectors (marketplace_id, language_tag, audience, fulfillment_channel_code).',
    '  add, replace: the same; value takes the place of the whole list, so an entry that it leaves out is lost',
    '  merge: changes only the members that an entry names and keeps the others; each entry needs its selectors; made for fulfillment_availability (quantity alone) and purchasable_offer',
    '  delete: removes the entries whose selectors value names',
    `${attributes} ACCEPTED means that it will be processed: read the listing again for its issues.`,
    suppression,
  ],
};
