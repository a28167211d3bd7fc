/** Generates what documents and code share: the tables of the documents, the conformance list, and the decisions resource. */

import { readFile } from 'node:fs/promises';
import { listSettings } from '../../src/base/setting-descriptions.ts';
import { listOperations } from '../../src/service/describe/list-operations.ts';
import { FACTS_DAY } from '../../src/service/facts/provenance.ts';
import { loadRegistry } from '../../src/service/registry/registry.ts';
import { loadTools } from '../../tools/index.ts';
import { readFigures, renderChart, renderFigures } from '../bench/figures.ts';
import { CONFORMANCE } from '../matrix/conformance-scenarios.ts';
import { readPackageJson } from '../package/package-json.ts';
import { countedTable } from './counted.ts';
import type { GeneratedFile } from './generated-file.ts';
import { installPart } from './install.ts';
import { literalOf } from './literal.ts';
import { replacePart } from './replace-part.ts';
import { readReportViews } from './report-views.ts';
import { firstSentence } from './words.ts';

const TOOLS = await loadTools();

/** Renders the parts that documents have between `<!-- name -->` and `<!-- /name -->`. */
export async function generateDocumentParts(): Promise<GeneratedFile[]> {
  const figures = await readFigures();
  const parts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'README.md': { facts: await factsLine() },
    'docs/benchmarks.md': {
      counted: await countedTable(),
      chart: renderChart(figures),
      measured: renderFigures(figures),
    },
    'docs/hosts.md': { install: installPart(await readPackageJson()) },
    'docs/reports.md': { views: viewsTable() },
    'docs/settings.md': { settings: settingsTable() },
    'docs/tools.md': { tools: toolsTable() },
  };
  return Promise.all(
    Object.entries(parts).map(async ([path, own]) => {
      const text = await readFile(path, 'utf8');
      return {
        path,
        text: Object.entries(own).reduce((all, [name, part]) => replacePart(all, name, part), text),
      };
    }),
  );
}

async function factsLine(): Promise<string> {
  const { data } = await listOperations(await loadRegistry());
  if (data.kind !== 'groups') throw new Error('Without a filter the operations are told by group');
  const day = new Date(FACTS_DAY).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  return `- **All of the service.** ${data.public.callable} operations of the public API as of ${day}, each with the day on which Amazon ends it where there is one, and any that [you add](docs/tools.md#your-own-operations) from definitions of your own.`;
}

function settingsTable(): string {
  const rows = listSettings().map(({ flag, env, help, defaultValue, isSwitch, choices }) => {
    const value = isSwitch ? '' : ` ${choices?.join('\\|') ?? 'VALUE'}`;
    const form = flag === undefined ? 'never a flag' : `\`--${flag}${value}\``;
    return `| ${form} | \`${env}\` | ${defaultValue === undefined ? '' : `\`${defaultValue}\``} | ${help} |`;
  });
  return ['| flag | environment | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function viewsTable(): string {
  const rows = readReportViews().map(
    ([name, { reportType, holds }]) => `| \`${name}\` | \`${reportType}\` | ${holds} |`,
  );
  return ['| View | Report | What its rows are |', '|---|---|---|', ...rows].join('\n');
}

function toolsTable(): string {
  const rows = TOOLS.map(
    ({ name, effect, description }) => `| \`${name}\` | ${effect} | ${firstSentence(description)} |`,
  );
  return ['| tool | effect | what it does |', '|---|---|---|', ...rows].join('\n');
}

/** Which parts of the conformance suite apply here, and why the rest do not. */
export function generateConformanceDoc(): GeneratedFile[] {
  const { suite, specVersions, applicable, notApplicable, checksLeftOut } = CONFORMANCE;
  const text = [
    '<!-- Generated from scripts/matrix/conformance-scenarios.yaml by scripts/generate.ts. Do not edit. -->',
    '# Conformance',
    `\`npm run matrix\` runs \`${suite}\` at ${specVersions.join(' and ')}. They meet over HTTP: \`serve-http\`, with the sandbox. Any scenario in the suite that is in neither list below fails the run.`,
    '## Scenarios that apply',
    bullets(applicable.map(code)),
    'Some single checks in these need a tool with a fixed name; the suite itself reports them as not testable here:',
    bullets(Object.entries(checksLeftOut).map(([id, why]) => `${code(id)}: ${why}`)),
    '## Scenarios that do not apply',
    ...notApplicable.flatMap(({ why, scenarios }) => [why, bullets(scenarios.map(code))]),
  ];
  return [{ path: 'docs/conformance.md', text: `${text.join('\n\n')}\n` }];
}

const code = (name: string) => `\`${name}\``;
const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');

/** The resource that says what the program does where the interface is silent. */
export async function generateDecisions(): Promise<GeneratedFile[]> {
  const text = await readFile('docs/where-the-interface-is-silent.md', 'utf8');
  const lines = [
    '/** Generated from docs/where-the-interface-is-silent.md by scripts/generate.ts. Do not edit. */',
    '',
    `export const DECISIONS = ${literalOf(text.split('\n'))}.join('\\n');`,
    '',
  ];
  return [{ path: 'src/protocol/generated/decisions.ts', text: lines.join('\n') }];
}
