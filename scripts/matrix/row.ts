/** One line of the matrix, and how the checks behind it are counted. */

export interface Row {
  name: string;
  passed: number;
  failed: number;
  /** Skipped by the tests themselves, for lack of a keychain for example. */
  skipped?: number;
  /** Why it could not be run here; such a row counts neither as passed nor as failed. */
  notRun?: string;
  /** The failures, a line each. */
  failures: string[];
}

export interface Check {
  name: string;
  /** @throws Error saying what is wrong. */
  run(): Promise<void>;
}

export async function runChecks(name: string, checks: readonly Check[]): Promise<Row> {
  const row: Row = { name, passed: 0, failed: 0, failures: [] };
  for (const check of checks) {
    try {
      await check.run();
      row.passed += 1;
    } catch (error) {
      row.failed += 1;
      row.failures.push(`${check.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return row;
}

export const notRun = (name: string, reason: string): Row => ({
  name,
  passed: 0,
  failed: 0,
  notRun: reason,
  failures: [],
});
