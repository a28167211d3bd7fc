/** How a folder of public definitions differs from the committed facts: operations that are missing, differ, or are gone. */

import { readFileSync } from 'node:fs';
import { parseText } from '../../src/definitions/read/read-file.ts';
import { decodeFacts } from '../../src/service/facts/facts.ts';
import { type Facts, factsSchema } from '../../src/service/facts/facts-file.ts';
import { definitionFiles, olderVersions } from '../../src/service/facts/groups.ts';
import { endpointOf } from '../../src/service/facts/merge.ts';
import type { Operation } from '../../src/service/facts/operation.ts';
import { collectFacts } from '../facts/collect.ts';
import { type PublicDefinition, readDefinition } from '../facts/read-definition.ts';
import { compareFacts } from './compare-facts.ts';

export interface SourceOfDefinition {
  /** Name of the file without its ending. */
  name: string;
  /** Its path. */
  source: string;
}

/** What is in the folder, beside what is known of the same. */
interface Sides {
  ours: Facts;
  folder: Readonly<Record<string, PublicDefinition>>;
  unread: readonly string[];
}

/** Lines for a reader, a summary first; nothing more where nothing differs. */
export async function describeDrift(sources: readonly SourceOfDefinition[], ours: Facts): Promise<string[]> {
  const folder: Record<string, PublicDefinition> = {};
  const unread: string[] = [];
  for (const { name, source } of sources) {
    try {
      folder[name] = await readDefinition(await parseText(readFileSync(source, 'utf8'), source));
    } catch (error) {
      unread.push(`not compared  ${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return linesOf({ ours, folder, unread });
}

/** The facts that are committed. */
export function committedFacts(): Facts {
  const path = new URL('../../src/service/facts/generated/facts.json', import.meta.url);
  return factsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

function linesOf({ ours, folder, unread }: Sides): string[] {
  const theirs = endpointsOf(folder);
  const known = new Set(Object.values(ours.files).flatMap(({ operations }) => operations.map(endpointOf)));
  const fresh = theirs.filter(({ endpoint }) => !known.has(endpoint));
  const older = fresh.filter(({ path }) => olderVersions.some((one) => path.startsWith(one.path)));
  const missing = fresh.filter((one) => !older.includes(one));
  const gone = goneOf({ ours, folder, unread }, new Set(theirs.map(({ endpoint }) => endpoint)));
  const differing = differingOf({ ours, folder, unread });
  const head =
    `facts: ${theirs.length} operations in the folder, ${missing.length} of them missing here, ` +
    `${differing.length} differ, ${older.length} left out as older versions; ${gone.count} of ours gone`;
  return [
    head,
    ...missing.map(({ file, name, endpoint }) => `missing  ${file}: ${name} (${endpoint})`),
    ...differing,
    ...gone.lines,
    ...unread,
  ];
}

function endpointsOf(folder: Sides['folder']) {
  return Object.entries(folder).flatMap(([file, { operations }]) =>
    operations.map(({ draft }) => ({
      file,
      name: draft.name,
      path: draft.path,
      endpoint: endpointOf(draft),
    })),
  );
}

/** Ours that the folder does not hold, of files that it holds at least a part of. */
function goneOf({ ours, folder }: Sides, theirs: ReadonlySet<string>): { count: number; lines: string[] } {
  const perFile = Object.entries(ours.files).map(([file, { operations }]) => ({
    file,
    isThere: Object.hasOwn(folder, file),
    all: operations.length,
    lost: operations.filter((one) => !theirs.has(endpointOf(one))),
  }));
  const isAbsent = (one: (typeof perFile)[number]) => !one.isThere && one.lost.length === one.all;
  const lost = perFile.filter((one) => !isAbsent(one));
  return {
    count: lost.reduce((sum, one) => sum + one.lost.length, 0),
    lines: [
      ...lost.flatMap((one) =>
        one.lost.map((each) => `gone  ${one.file}: ${each.name} (${endpointOf(each)})`),
      ),
      ...absentLines(perFile.filter(isAbsent)),
    ],
  };
}

/** More file names than a reader would look for. */
const MOST_FILES_NAMED = 10;

/** A folder that holds a part of the definitions is nothing unusual: the rest is told in one line. */
function absentLines(absent: readonly { file: string; all: number }[]): string[] {
  if (absent.length === 0) return [];
  const operations = absent.reduce((sum, { all }) => sum + all, 0);
  const names = absent.length > MOST_FILES_NAMED ? '' : `: ${absent.map(({ file }) => file).join(', ')}`;
  return [`not in the folder  ${absent.length} files with ${operations} operations of ours${names}`];
}

/** Files of the same name, compared operation by operation as the program would decode them. */
function differingOf({ ours, folder }: Sides): string[] {
  const both = Object.keys(folder).filter((file) => Object.hasOwn(ours.files, file));
  const rest = Object.entries(ours.files).filter(([file]) => !both.includes(file));
  const { files, problems } = collectFacts(
    Object.fromEntries(both.flatMap((file) => (folder[file] === undefined ? [] : [[file, folder[file]]]))),
    rest.flatMap(([file, content]) => namedOf(file, content)),
  );
  const mine = byEndpoint(decodeFacts(ours));
  const theirs = decodeFacts({ ...ours, files: { ...ours.files, ...files } });
  const lines = theirs.flatMap((operation) => {
    const own = mine.get(endpointOf(operation));
    const members = own === undefined ? [] : compareFacts(own, operation);
    return members.length === 0 ? [] : [`differs  ${own?.id}: ${members.join('; ')}`];
  });
  return [...lines, ...problems.map((problem) => `to be reviewed  ${problem}`)];
}

function namedOf(file: string, { version, operations }: Facts['files'][string]) {
  const place = definitionFiles[file];
  if (place === undefined) return [];
  return operations.map(({ name, method }) => ({
    slug: place.group.slug,
    edition: place.edition,
    name,
    version,
    method,
  }));
}

function byEndpoint(operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  return new Map(operations.map((operation) => [endpointOf(operation), operation]));
}
