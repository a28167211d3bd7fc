/** The service's error object and the labels of its statuses (section 7). */

import * as z from 'zod';
import { ServiceText } from '../../base/text/service-text.ts';

/** The service's error object as it is sent. */
export interface ServiceError {
  code: string;
  message: string;
  details?: string;
}

/** Accepts an error that was parsed before. */
const read = z.instanceof(ServiceText);
const text = z
  .union([
    read,
    z.union([z.string(), z.number(), z.boolean()]).transform((raw) => new ServiceText(String(raw))),
  ])
  .optional()
  .catch(undefined);

/**
 * The error members of section 7, and the spellings of gateways (`Message`, `errorCode`, `errorMessage`) and
 * OAuth (`error`, `error_description`). Texts become opaque here, scalars too; unknown members are retained.
 */
export const serviceErrorSchema = z.looseObject({
  code: text.describe('Identifies the type of error'),
  message: text.describe('What went wrong'),
  details: text.describe('What helps to fix it'),
  Message: text,
  errorCode: text,
  errorMessage: text,
  error: text,
  error_description: text,
});

/**
 * Section 7: labels of the statuses listed for getCatalogItem; 429 carries no label there, only its meaning.
 */
export const statusLabels: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Record Not Found',
  429: 'rate limit exceeded',
  500: 'Server Error',
  503: 'Service Unavailable',
};
