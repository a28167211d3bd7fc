/** One point of the release check, and its outcome. */

export interface Finding {
  name: string;
  outcome: 'ok' | 'failed' | 'not checked';
  /** A figure, or what is wrong. */
  detail: string;
}

/** A check that cannot run here, or is not due yet; it is never shown as ok. */
export class NotCheckable extends Error {}

/** @param run resolves to the detail; throws what is wrong, or NotCheckable. */
export async function check(name: string, run: () => Promise<string>): Promise<Finding> {
  try {
    return { name, outcome: 'ok', detail: await run() };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, outcome: error instanceof NotCheckable ? 'not checked' : 'failed', detail };
  }
}

/** @throws Error listing the problems, if there are any. */
export function expectNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('; '));
}
