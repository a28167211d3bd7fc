/** The service's error object and the labels of its statuses (section 7). */

import * as z from 'zod';

/** Section 7; also the element of a 200 answer's `errors` and of the supply source write's error array. */
export const serviceErrorSchema = z.looseObject({
  code: z.string().describe('Identifies the type of error'),
  message: z.string().describe('What went wrong'),
  details: z.string().optional().describe('What helps to fix it'),
});

/** Section 7: labels of the statuses listed for getCatalogItem; 429 carries no label there, only its meaning. */
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
