/** Words of the service in an expectation: they show themselves to nobody, but can be asked. */

import { ServiceText } from '../../src/base/text/service-text.ts';

/** Matches the one text that says exactly this. */
export const words = (text: string) => ({
  asymmetricMatch: (found: unknown) => found instanceof ServiceText && found.is(text),
  toString: () => `words ${JSON.stringify(text)}`,
});
