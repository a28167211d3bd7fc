/** Whether a page answers no more at its address: its port may be another test's the next moment, which knows no such address. */
export function isPageGone(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ status, headers }) => status === 404 || !headers.has('content-security-policy'),
    (error: unknown) => !(error instanceof Error && error.name === 'TimeoutError'),
  );
}
