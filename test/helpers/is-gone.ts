/** Whether a page for credentials answers no more: its port may be another test's the next moment, which serves no page. */
export function isPageGone(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok, headers }) => !(ok && headers.get('content-type')?.startsWith('text/html')),
    (error: unknown) => !(error instanceof Error && error.name === 'TimeoutError'),
  );
}
