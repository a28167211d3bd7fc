/** How a folder of public definitions differs from the committed facts: operations that are missing, differ, or are gone. */

import { readFileSync } from 'node:fs';
import { parseText } from '../../src/definitions/read/read-file.ts';
import { decodeFacts } from '../../src/service/facts/facts.ts';
import { type Facts, factsSchema } from '../../src/service/facts/facts-file.ts';
import { definitionFiles, olderVersions } from '../../src/service/facts/groups.ts';
import { endpointOf } from '../../src/service/facts/merge.ts';
import type { Operation } from '../../src/service/facts/operation.ts';
import { collectFacts } from './collect.ts';
import { compareFacts } from './compare-facts.ts';
import { type PublicDefinition, readDefinition } from './read-definition.ts';

export interface SourceOfDefinition {
  /** Name of the file without its ending. */
  name: string;
  /** Its path. */
  source: string;
}

/** The definitions of the folder beside the known facts of the same. */
interface Sides {
  ours: Facts;
  folder: Readonly<Record<string, PublicDefinition>>;
}

/** Lists where a folder and the facts differ. */
export interface Drift {
  /** Counts the operations of the folder, and those of them that are left out as older versions. */
  operations: number;
  older: number;
  /** Lists operations that are missing here. */
  missing: { file: string; name: string; endpoint: string }[];
  /** Holds what `compareFacts` returns for each operation of ours. */
  differing: { id: string; changes: string[] }[];
  /** Lists operations of ours that the folder lacks, in files of which it has at least a part. */
  gone: { file: string; name: string; endpoint: string }[];
  /** Lists files of ours that the folder lacks entirely. */
  absent: { file: string; all: number }[];
  /** Hold a line for each file that could not be read, and for each decision that is missing. */
  unread: string[];
  undecided: string[];
}

/** Compares a folder with the facts; files that cannot be read are named and left out. */
export async function findDrift(sources: readonly SourceOfDefinition[], ours: Facts): Promise<Drift> {
  const folder: Record<string, PublicDefinition> = {};
  const unread: string[] = [];
  for (const { name, source } of sources) {
    try {
      folder[name] = await readDefinition(await parseText(readFileSync(source, 'utf8'), source));
    } catch (error) {
      unread.push(`not compared  ${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const theirs = endpointsOf(folder);
  const known = new Set(Object.values(ours.files).flatMap(({ operations }) => operations.map(endpointOf)));
  const fresh = theirs.filter(({ endpoint }) => !known.has(endpoint));
  const older = fresh.filter(({ path }) => olderVersions.some((one) => path.startsWith(one.path)));
  return {
    operations: theirs.length,
    older: older.length,
    missing: fresh.filter((one) => !older.includes(one)),
    ...goneOf({ ours, folder }, new Set(theirs.map(({ endpoint }) => endpoint))),
    ...differingOf({ ours, folder }),
    unread,
  };
}

/** Returns lines for a maintainer: a summary, then each difference. */
export function describeDrift(drift: Drift): string[] {
  const { operations, older, missing, differing, gone, absent, unread, undecided } = drift;
  return [
    `facts: ${operations} operations in the folder, ${missing.length} of them missing here, ` +
      `${differing.length} differ, ${older} left out as older versions; ${gone.length} of ours gone`,
    ...missing.map(({ file, name, endpoint }) => `missing  ${file}: ${name} (${endpoint})`),
    ...differing.map(({ id, changes }) => `differs  ${id}: ${changes.join('; ')}`),
    ...undecided,
    ...gone.map(({ file, name, endpoint }) => `gone  ${file}: ${name} (${endpoint})`),
    ...absentLines(absent),
    ...unread,
  ];
}

/** Formats the changes for users as an entry of the changelog. @param day of the newer definitions, ISO @returns no line where nothing changes */
export function changelogOf({ missing, differing, gone }: Drift, day: string): string[] {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines.map((line) => `- ${line}`)];
  const lines = [
    ...section(
      'Added',
      missing.map(({ file, name, endpoint }) => `Operation \`${name}\` (${endpoint}) of ${file}.`),
    ),
    ...section(
      'Changed',
      differing.map(({ id, changes }) => `\`${id}\`: ${changes.join('; ')}.`),
    ),
    ...section(
      'Removed',
      gone.map(({ file, name, endpoint }) => `Operation \`${name}\` (${endpoint}) of ${file}.`),
    ),
  ];
  return lines.length === 0 ? [] : [`Facts of the service as of ${day}.`, ...lines];
}

/** The facts that are committed. */
export function committedFacts(): Facts {
  const path = new URL('../../src/service/facts/generated/facts.json', import.meta.url);
  return factsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
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

function goneOf({ ours, folder }: Sides, theirs: ReadonlySet<string>): Pick<Drift, 'gone' | 'absent'> {
  const perFile = Object.entries(ours.files).map(([file, { operations }]) => ({
    file,
    isThere: Object.hasOwn(folder, file),
    all: operations.length,
    lost: operations.filter((one) => !theirs.has(endpointOf(one))),
  }));
  const isAbsent = (one: (typeof perFile)[number]) => !one.isThere && one.lost.length === one.all;
  return {
    gone: perFile
      .filter((one) => !isAbsent(one))
      .flatMap(({ file, lost }) =>
        lost.map((each) => ({ file, name: each.name, endpoint: endpointOf(each) })),
      ),
    absent: perFile.filter(isAbsent),
  };
}

/** More file names than a reader would look for. */
const MAX_FILES_NAMED = 10;

/** A folder that holds a part of the definitions is nothing unusual: the rest is told in one line. */
function absentLines(absent: readonly { file: string; all: number }[]): string[] {
  if (absent.length === 0) return [];
  const operations = absent.reduce((sum, { all }) => sum + all, 0);
  const names = absent.length > MAX_FILES_NAMED ? '' : `: ${absent.map(({ file }) => file).join(', ')}`;
  return [`not in the folder  ${absent.length} files with ${operations} operations of ours${names}`];
}

/** Files of the same name, compared operation by operation as the program would decode them. */
function differingOf({ ours, folder }: Sides): Pick<Drift, 'differing' | 'undecided'> {
  const both = Object.keys(folder).filter((file) => Object.hasOwn(ours.files, file));
  const rest = Object.entries(ours.files).filter(([file]) => !both.includes(file));
  const { files, problems } = collectFacts(
    Object.fromEntries(both.flatMap((file) => (folder[file] === undefined ? [] : [[file, folder[file]]]))),
    rest.flatMap(([file, content]) => namedOf(file, content)),
  );
  const mine = byEndpoint(decodeFacts(ours));
  const theirs = decodeFacts({ ...ours, files: { ...ours.files, ...files } });
  const differing = theirs.flatMap((operation) => {
    const own = mine.get(endpointOf(operation));
    const changes = own === undefined ? [] : compareFacts(own, operation);
    return own === undefined || changes.length === 0 ? [] : [{ id: own.id, changes }];
  });
  return { differing, undecided: problems.map((problem) => `to be reviewed  ${problem}`) };
}

function namedOf(file: string, { version, operations }: Facts['files'][string]) {
  const definitionFile = definitionFiles[file];
  if (definitionFile === undefined) return [];
  return operations.map(({ name, method }) => ({
    slug: definitionFile.group.slug,
    edition: definitionFile.edition,
    name,
    version,
    method,
  }));
}

function byEndpoint(operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  return new Map(operations.map((operation) => [endpointOf(operation), operation]));
}
