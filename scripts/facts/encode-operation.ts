/** One operation in the notation of the facts file; src/service/facts/facts.ts reads it back. */

import type { OperationDraft } from '../../src/definitions/read/operation-draft.ts';
import { encodeReading, encodeRefusals } from '../../src/service/facts/compact-readings.ts';
import type { OperationFacts } from '../../src/service/facts/facts-file.ts';
import type { Parameter } from '../../src/service/facts/operation.ts';
import { encodeSchema } from './compact.ts';
import type { Recognised } from './recognise.ts';

export function encodeOperation(draft: OperationDraft, recognised: Recognised): OperationFacts {
  const { parameters, body, rate, ...told } = draft;
  const { paging, previewMode, state, progress, refusals } = recognised;
  return {
    ...told,
    ...(parameters.length > 0 && {
      parameters: Object.fromEntries(parameters.map((one) => [keyOf(one), encodeSchema(one.schema)])),
    }),
    ...(body && { body: encodeSchema(body.schema) }),
    ...(body && !body.required && { bodyOptional: true }),
    ...(rate && { rate: [rate.requestsPerSecond, rate.burst ?? 1] }),
    ...(paging && { paging }),
    ...(previewMode && { previewMode }),
    ...(state && { state: encodeReading(state) }),
    ...(progress && { progress: encodeReading(progress) }),
    ...(refusals && { refuse: encodeRefusals(refusals) }),
  };
}

function keyOf({ name, in: place, required, collectionFormat = 'csv' }: Parameter): string {
  const joining = collectionFormat === 'csv' ? '' : `${collectionFormat} `;
  return `${place} ${joining}${name}${required ? '*' : ''}`;
}
