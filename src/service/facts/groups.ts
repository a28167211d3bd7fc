/**
 * The groups of operations: the document's names in each, its definition files, and the left-out operations.
 */

import { groups } from './generated/groups.ts';
import { type Audience, METHODS, type Method } from './operation.ts';

/** A group as reviewed in groups.yaml, which explains each member. */
export interface OperationGroup {
  slug: string;
  name: string;
  audience?: Audience;
  version?: string;
  names?: string;
  uncallable?: Readonly<Record<string, string>>;
  files?: Readonly<Record<string, number>>;
  older?: readonly {
    file: string;
    version: string;
    path: string;
    newer: string;
    operations: readonly string[];
  }[];
}

export interface DocumentEntry {
  group: OperationGroup;
  name: string;
  method?: Method;
  deprecated: boolean;
  withdrawn: boolean;
}

const notation = /^([~!]?)(\w+?)(?::(GET|POST|PUT|PATCH|DELETE))?$/;

/** Every entry of section 4.4 in its order, one per occurrence (203). */
export const documentEntries: readonly DocumentEntry[] = groups.flatMap((group) =>
  (group.names?.split(' ') ?? []).map((text) => {
    const [, mark = '', name = text, method] = notation.exec(text) ?? [];
    return {
      group,
      name,
      method: METHODS.find((known) => known === method),
      deprecated: mark !== '',
      withdrawn: mark === '!',
    };
  }),
);

export interface KnownEntry {
  id: string;
  group: string;
  name: string;
  method: Method;
  reason: string;
  deprecated: boolean;
}

/**
 * The entries of the document that are known by name but not callable, with the reason (sections 4.2 and
 * 4.4).
 */
export const knownEntries: readonly KnownEntry[] = documentEntries.flatMap(
  ({ group, name, method, deprecated }) => {
    const reason = group.uncallable?.[name];
    if (reason === undefined || method === undefined) return [];
    return [{ id: `${group.slug}/${name}`, group: group.name, name, method, reason, deprecated }];
  },
);

/** Name of a definition file, without `.json` -> its group and edition. */
export const definitionFiles: Readonly<Record<string, { group: OperationGroup; edition: number }>> =
  Object.fromEntries(
    groups.flatMap((group) =>
      Object.entries(group.files ?? {}).map(([file, edition]) => [file, { group, edition }]),
    ),
  );

/**
 * The left-out public operations, by name: older versions of operations that the facts have in a newer one.
 */
export const olderVersions = groups.flatMap(({ slug, older = [] }) =>
  older.map((one) => ({ ...one, group: slug })),
);

/**
 * The common reason: each operation of a group is listed in one version if the newer one can do all that the
 * older can.
 */
export const olderVersionReason = 'an older version of an operation that is listed in a newer one';
