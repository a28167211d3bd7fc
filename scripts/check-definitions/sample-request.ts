/** Makes up a request that the operation allows, from its shapes, since an example answer declares none. */

import { checkArguments } from '../../src/call/request/check-arguments.ts';
import type { ListedCase } from '../../src/definitions/cases/replay-cases.ts';
import { toReplayCase } from '../../src/definitions/cases/replay-cases.ts';
import { withInnerAddresses } from '../../src/service/facts/inner-requests.ts';
import type { JsonSchema, Operation } from '../../src/service/facts/operation.ts';
import { SEPARATORS } from '../../src/service/facts/parameters.ts';
import { type Defs, resolveSchema } from '../../src/service/facts/schema-parts.ts';

/** Cases with their own request stay unchanged. */
export async function withRequest(
  listed: ListedCase,
): Promise<ListedCase | { listed: ListedCase; reason: string }> {
  const { declared, operation } = listed;
  if (declared.kind === 'sandbox') {
    const reason = unsendable(listed);
    return reason === undefined ? listed : { listed, reason };
  }
  const sample = { ...declared, ...sampleRequest(operation) };
  const [problem] = await checkArguments(operation, sample.parameters, sample.body);
  if (problem !== undefined)
    return { listed, reason: `no request could be made up for it: ${problem.path} ${problem.message}` };
  return { ...listed, declared: sample, replayed: toReplayCase(listed.replayed.id, sample, operation) };
}

/** Why a value cannot go where the definition puts it, whoever sends it. */
function unsendable({ operation, declared }: ListedCase): string | undefined {
  for (const { name, in: place, collectionFormat } of operation.parameters) {
    const value: unknown = Object.hasOwn(declared.parameters, name) ? declared.parameters[name] : undefined;
    const texts = [value].flat().filter((text) => typeof text === 'string');
    const separator = collectionFormat && collectionFormat !== 'multi' && SEPARATORS[collectionFormat];
    if (separator && texts.some((text) => text.includes(separator))) {
      return `an element of ${name} holds the character that joins the list`;
    }
    if (place === 'path' && texts.some((text) => /(^|[/\\])\.\.?([/\\]|$)/.test(text)))
      return `${name} is a dot segment of the path`;
    if (place === 'header' && texts.some((text) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(text)))
      return `${name} cannot appear in a header`;
  }
  return undefined;
}

function sampleRequest({ id, parameters, body, defs = {} }: Operation): {
  parameters: Record<string, unknown>;
  body?: unknown;
} {
  const required = parameters.filter((parameter) => parameter.required);
  return {
    parameters: Object.fromEntries(required.map(({ name, schema }) => [name, sampleOf(schema, defs)])),
    ...(body?.required && { body: withInnerAddresses(id, sampleOf(body.schema, defs)) }),
  };
}

const MAX_SAMPLE_DEPTH = 12;

/** The smallest value that a schema allows: required members only, the first of an enum. */
function sampleOf(schema: JsonSchema, defs: Defs, depth = 0): unknown {
  const shape = resolveSchema(schema, defs);
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.type === 'integer' || shape.type === 'number') return Math.max(shape.minimum ?? 1, 1);
  if (shape.type === 'boolean') return true;
  if (shape.type === 'array') {
    const count = Math.max(shape.minItems ?? 1, 1);
    return depth > MAX_SAMPLE_DEPTH
      ? []
      : Array.from({ length: count }, () => sampleOf(shape.items ?? {}, defs, depth + 1));
  }
  if (shape.properties !== undefined || shape.type === 'object') {
    const names = depth > MAX_SAMPLE_DEPTH ? [] : (shape.required ?? []);
    return Object.fromEntries(
      names.map((name) => [name, sampleOf(shape.properties?.[name] ?? {}, defs, depth + 1)]),
    );
  }
  return shape.type === 'string' ? sampleText(shape) : 'x';
}

function sampleText({ format, minLength = 1, maxLength = 40 }: JsonSchema): string {
  const text = format === 'date-time' ? '2026-01-01T00:00:00Z' : format === 'date' ? '2026-01-01' : 'x';
  return text.padEnd(minLength, 'x').slice(0, maxLength);
}
