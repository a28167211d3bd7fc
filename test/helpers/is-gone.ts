/** Whether nobody answers there any more as it did: a port that was closed may be another test's the next moment. */
export function isGone(url: string, isIts: (answer: Response) => boolean): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (answer) => !isIts(answer),
    () => true,
  );
}

/** Of a page for credentials: no other knows its path. */
export const isPageGone = (url: string) => isGone(url, ({ ok }) => ok);
