/** The table of the codebase in CONTRIBUTING.md says the same as the import rule in biome.json, folder by folder. */

import * as z from 'zod';
import type { Finding } from './finding.ts';

const ruleSchema = z.object({
  options: z.object({ patterns: z.array(z.object({ group: z.array(z.string()), message: z.string() })) }),
});
const biomeSchema = z.object({
  overrides: z.array(
    z.object({
      includes: z.array(z.string()),
      linter: z
        .object({
          rules: z.object({ style: z.object({ noRestrictedImports: ruleSchema.optional() }).optional() }),
        })
        .optional(),
    }),
  ),
});

/** For folders without a rule in biome.json. */
const EVERYTHING = 'everything';
/** Single modules, which every folder may import; only this one has a place in the messages. */
const ERRORS = 'errors';

interface Row {
  folder: string;
  imports: string;
  line: number;
}

/**
 * @param map the document with a table between `<!-- map -->` and `<!-- /map -->`: folder, contents, imports from.
 * @param folders names of all folders that the rule covers: those of src, and tools.
 */
export function checkMap(
  map: { path: string; text: string },
  biome: unknown,
  folders: readonly string[],
): Finding[] {
  const allowed = readRule(biome, folders);
  const rows = readRows(map.text);
  const wrong = (line: number, message: string): Finding => ({ path: map.path, line, message });
  if (rows.length === 0) return [wrong(1, 'there is no map between <!-- map --> and <!-- /map -->')];
  const missing = folders.filter((folder) => !rows.some((row) => row.folder === folder));
  return [
    ...allowed.problems.map((problem) => wrong(rows[0]?.line ?? 1, problem)),
    ...missing.map((folder) => wrong(rows[0]?.line ?? 1, `the map leaves out ${folder}`)),
    ...rows.flatMap(({ folder, imports, line }) => {
      if (!folders.includes(folder)) return [wrong(line, `the map names ${folder}, which is not there`)];
      const rule = allowed.byFolder.get(folder) ?? EVERYTHING;
      return imports === rule
        ? []
        : [wrong(line, `${folder} imports from "${imports}" here, "${rule}" in biome.json`)];
    }),
  ];
}

function readRows(text: string): Row[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() === '<!-- map -->');
  const end = lines.findIndex((line) => line.trim() === '<!-- /map -->');
  if (start < 0 || end < start) return [];
  return lines.slice(start + 1, end).flatMap((line, i) => {
    const [folder = '', , imports = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const name = /^`(?:src\/)?([\w-]+)\/`$/.exec(folder)?.[1];
    return name === undefined ? [] : [{ folder: name, imports: sorted(imports), line: start + i + 2 }];
  });
}

/** What each folder may import: all but itself and what is forbidden; the rule's message must say the same. */
function readRule(biome: unknown, folders: readonly string[]) {
  const byFolder = new Map<string, string>();
  const problems: string[] = [];
  for (const { includes, linter } of biomeSchema.parse(biome).overrides) {
    const rule = linter?.rules.style?.noRestrictedImports;
    if (rule === undefined) continue;
    const folder = /^(?:src\/)?([\w-]+)\/\*\*$/.exec(includes[0] ?? '')?.[1] ?? '';
    const forbidden = rule.options.patterns.flatMap(({ group }) =>
      group.map((one) => one.replace(/\*\*\/|\/\*\*/g, '')),
    );
    const allowed = folders.filter((one) => one !== folder && !forbidden.includes(one));
    byFolder.set(folder, sorted([...allowed, ERRORS].join(', ')));
    const stated = /imports only from: ([\w, -]+)\./.exec(rule.options.patterns[0]?.message ?? '')?.[1] ?? '';
    if (sorted(stated) !== byFolder.get(folder))
      problems.push(
        `biome.json says "${stated}" for ${folder}, but lets it import "${byFolder.get(folder)}"`,
      );
  }
  return { byFolder, problems };
}

function sorted(list: string): string {
  return list.split(/,\s*/).sort().join(', ');
}
