/**
 * Formats the output of `definitions`: the counts of each file, its new operations, and those that cannot be
 * called.
 */

import { localTimeWithZone } from '../../../base/text/local-time.ts';
import type { CompiledDefinition } from '../../../definitions/store/compiled.ts';
import { endpointOf } from '../../../service/facts/merge.ts';
import { loadRegistry } from '../../../service/registry/registry.ts';

/** Returns method and path of every built-in operation, to detect which of a user's operations are new. */
export async function builtInEndpoints(): Promise<ReadonlySet<string>> {
  const { operations } = await loadRegistry();
  return new Set(operations.map(endpointOf));
}

export type DefinitionSummary = ReturnType<typeof summarise>;

export function summarise(file: CompiledDefinition, builtIn: ReadonlySet<string>) {
  const { name, title, version, operations, source, sha256, addedAt } = file;
  const enriched = operations.filter((one) => builtIn.has(endpointOf(one))).length;
  return {
    name,
    title,
    version,
    operations: operations.length,
    /** The operations that no built-in one has, and those that complete one. */
    new: operations.length - enriched,
    enriched,
    source,
    sha256,
    addedAt,
  };
}

export function describeAdded(
  files: readonly CompiledDefinition[],
  added: readonly (DefinitionSummary & { replaced: boolean })[],
  others: readonly string[],
  folder: string,
): string {
  const lines = added.flatMap((one, i) => [
    `${one.replaced ? 'Replaced' : 'Added'} ${one.name} (${one.title} ${one.version}): ${formatCounts(one)}`,
    ...formatSkipped(files[i]),
  ]);
  const skipped = others.map((path) => `Left out ${path}: it is no API definition.`);
  const total = added.length > 1 ? [`${added.length} files: ${formatCounts(sum(added))}`] : [];
  const next = `Kept in ${folder}. Servers that are running see them after their next start.`;
  return `${[...lines, ...skipped, ...total, next].join('\n')}\n`;
}

/** The maximum number of reasons listed per file. */
const MAX_REASONS = 10;

function formatSkipped(file: CompiledDefinition | undefined): string[] {
  const skipped = file?.skipped ?? [];
  const reasons = skipped.map(({ operation, reason }) => `  cannot be called: ${operation} (${reason})`);
  const more = reasons.length - MAX_REASONS;
  return more <= 0 ? reasons : [...reasons.slice(0, MAX_REASONS), `  and ${more} more`];
}

export function describeList(summaries: readonly DefinitionSummary[], folder: string): string {
  if (summaries.length === 0) return `No definitions have been added. They would be kept in ${folder}.\n`;
  const lines = summaries.flatMap((one) => [
    `${one.name} (${one.title} ${one.version}): ${formatCounts(one)}`,
    `  from ${one.source}, added ${localTimeWithZone(one.addedAt)}, sha256 ${one.sha256.slice(0, 12)}`,
  ]);
  return `${[...lines, `Kept in ${folder}.`].join('\n')}\n`;
}

type OperationCounts = Pick<DefinitionSummary, 'operations' | 'new' | 'enriched'>;

function sum(all: readonly OperationCounts[]): OperationCounts {
  const add = (pick: (one: OperationCounts) => number) => all.reduce((total, one) => total + pick(one), 0);
  return {
    operations: add((one) => one.operations),
    new: add((one) => one.new),
    enriched: add((one) => one.enriched),
  };
}

function formatCounts(one: OperationCounts): string {
  const word = one.operations === 1 ? 'operation' : 'operations';
  return `${one.operations} ${word} (${one.new} new, ${one.enriched} known already)`;
}
