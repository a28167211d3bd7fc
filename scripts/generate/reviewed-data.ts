/** What people review as YAML, as the typed modules that the program loads: the type check is the check of their shape. */

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { GeneratedFile } from './generated-file.ts';

interface Reviewed {
  /** The YAML. */
  path: string;
  /** Of what the module exports. */
  name: string;
  type: string;
  /** Of the module that has the type, as the generated one imports it. */
  from?: string;
}

const REVIEWED: readonly Reviewed[] = [
  {
    path: 'sandbox/world/countries.yaml',
    name: 'countries',
    type: 'Readonly<Record<string, CountryFacts>>',
    from: "import type { CountryFacts } from '../markets.ts';",
  },
  {
    path: 'sandbox/world/languages.yaml',
    name: 'languages',
    type: 'Readonly<Record<string, Partial<Words>>> & { readonly en: Words }',
    from: "import type { Words } from '../markets.ts';",
  },
  {
    path: 'src/privacy/personal/phrases.yaml',
    name: 'phrases',
    type: 'Phrases',
    from: "import type { Phrases } from '../member-rule.ts';",
  },
  {
    path: 'src/service/describe/example-seeds.yaml',
    name: 'exampleSeeds',
    type: 'Readonly<Record<string, ExampleSeed>>',
    from: "import type { ExampleSeed } from '../example.ts';",
  },
  {
    path: 'src/service/describe/known-values.yaml',
    name: 'knownValues',
    type: 'Readonly<Record<string, Readonly<Record<string, string>>>>',
  },
  {
    path: 'src/service/facts/groups.yaml',
    name: 'groups',
    type: 'readonly Group[]',
    from: "import type { Group } from '../groups.ts';",
  },
  {
    path: 'src/service/facts/marketplaces.yaml',
    name: 'marketplaceTable',
    type: 'readonly Marketplace[]',
    from: "import type { Marketplace } from '../marketplaces.ts';",
  },
  {
    path: 'src/service/facts/report-types.yaml',
    name: 'reportFamilies',
    type: 'readonly ReportFamily[]',
    from: "import type { ReportFamily } from '../report-types.ts';",
  },
  {
    path: 'src/service/facts/reviewed.yaml',
    name: 'reviewed',
    type: 'Readonly<Record<string, Reviewed>>',
    from: "import type { Reviewed } from '../effects.ts';",
  },
  {
    path: 'src/service/search/other-answers.yaml',
    name: 'otherAnswers',
    type: 'readonly OtherAnswer[]',
    from: "import type { OtherAnswer } from '../search-entries.ts';",
  },
  {
    path: 'src/service/search/seller-words.yaml',
    name: 'sellerWords',
    type: 'Readonly<Record<string, Readonly<Record<string, string>>>>',
  },
  {
    path: 'src/service/search/synonyms.yaml',
    name: 'synonyms',
    type: 'readonly (readonly string[])[]',
  },
];

export function generateReviewedData(): GeneratedFile[] {
  return REVIEWED.map(({ path, name, type, from }) => ({
    path: join(dirname(path), 'generated', basename(path).replace(/\.yaml$/, '.ts')).replaceAll('\\', '/'),
    text: [
      `/** Generated from ${path} by scripts/generate.ts. Do not edit. */`,
      '',
      ...(from === undefined ? [] : [from, '']),
      `export const ${name}: ${type} = ${JSON.stringify(parse(readFileSync(path, 'utf8')))};`,
      '',
    ].join('\n'),
  }));
}
