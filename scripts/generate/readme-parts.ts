/** Generates the tables of README.md that come from code: the tools and the settings. */

import { readFile } from 'node:fs/promises';
import { listSettings } from '../../src/settings.ts';
import { TOOLS } from '../../tools/index.ts';
import type { GeneratedFile } from '../generate.ts';
import { firstSentence } from './words.ts';

export async function generateReadmeParts(): Promise<GeneratedFile[]> {
  const path = 'README.md';
  const readme = await readFile(path, 'utf8');
  const text = replacePart(replacePart(readme, 'settings', settingsTable()), 'tools', toolsTable());
  return [{ path, text }];
}

function settingsTable(): string {
  const rows = listSettings().map(({ flag, env, help, defaultValue, isSwitch, choices }) => {
    const value = isSwitch ? '' : ` ${choices?.join('\\|') ?? 'VALUE'}`;
    const form = flag === undefined ? 'never a flag' : `\`--${flag}${value}\``;
    return `| ${form} | \`${env}\` | ${defaultValue === undefined ? '' : `\`${defaultValue}\``} | ${help} |`;
  });
  return ['| flag | environment | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function toolsTable(): string {
  const rows = TOOLS.map(
    ({ name, effect, description }) => `| \`${name}\` | ${effect} | ${firstSentence(description)} |`,
  );
  return ['| tool | effect | what it does |', '|---|---|---|', ...rows].join('\n');
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
export function replacePart(text: string, name: string, content: string): string {
  const pattern = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n<!-- /${name} -->)`);
  if (!pattern.test(text)) throw new Error(`README.md has no part named ${name}`);
  return text.replace(pattern, (_all, open: string, close: string) => `${open}${content}${close}`);
}
