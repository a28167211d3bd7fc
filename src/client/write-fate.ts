/** What to tell about a write that got no clear answer. */

import type { ApiRequest } from './types.ts';

/** Says that the write may have been applied and how to see it; empty for reads. */
export function howToCheck(request: Pick<ApiRequest, 'operation' | 'url'>): string {
  const { operation } = request;
  if (operation.effect === 'read') return '';
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : operation.path;
  const look =
    operation.method === 'POST'
      ? `list or read what is under ${path} and look for the change`
      : `read ${path} back and compare`;
  return `The write may have been applied: before sending it again, ${look}.`;
}
