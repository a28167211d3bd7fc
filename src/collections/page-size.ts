/** The largest pages that an operation gives, asked for where the caller leaves their size open. */

import type { JsonSchema, Operation } from '../service/facts/operation.ts';
import { own, resolveSchema } from '../service/facts/schema-parts.ts';
import { memberAt, withMember } from './read-page.ts';

const SIZE = /^(?:pageSize|maxResults|maxResultsPerPage|limit)$/i;

export interface PagedArguments {
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** The same arguments, with the size of a page at its stated maximum where there is one and none was given. */
export function withLargestPages(operation: Operation, { parameters, body }: PagedArguments): PagedArguments {
  const place = operation.parameters.find(({ name }) => SIZE.test(name));
  const most = place?.schema.maximum;
  const sized =
    place === undefined || most === undefined || own(parameters, place.name) !== undefined
      ? parameters
      : { ...parameters, [place.name]: most };
  return { parameters: sized, ...(body === undefined ? {} : { body: largestInBody(operation, body) }) };
}

/** Beside the place of the offset. */
function largestInBody(operation: Operation, body: unknown): unknown {
  const input = operation.paging?.input;
  const shape = operation.body?.schema;
  if (input?.in !== 'body' || shape === undefined) return body;
  const path = input.name.split('.').slice(0, -1);
  const defs = operation.defs ?? {};
  let schema: JsonSchema | undefined = resolveSchema(shape, defs);
  for (const name of path) {
    const member: JsonSchema | undefined = own(schema?.properties, name);
    schema = member && resolveSchema(member, defs);
  }
  const sizes = Object.entries(schema?.properties ?? {}).filter(([name]) => SIZE.test(name));
  const [found] = sizes.map(([name, member]) => ({ name, most: resolveSchema(member, defs)?.maximum }));
  if (found?.most === undefined) return body;
  const place = [...path, found.name].join('.');
  return memberAt(body, place) === undefined ? withMember(body, place, found.most) : body;
}
