/** Writes the notices of everything bundled: name, version, license and the license's full text. */

import { provenance } from '../../src/service/facts/generated/provenance.ts';
import type { Bom, Component } from './bom.ts';
import { isAllowed } from './licenses.ts';

const RULE = '-'.repeat(80);

/** @throws Error naming every component that may not be shipped: its license is not allowed, or its text is missing. */
export async function buildNotices({ name, components }: Bom): Promise<string> {
  const wrong = components.flatMap(findFault);
  if (wrong.length > 0) throw new Error(`These may not be bundled:\n${wrong.join('\n')}`);
  const intro = `${name} contains the following third-party software and data.`;
  return `${[intro, factsNotice(), ...toNotices(components)].join(`\n\n${RULE}\n\n`)}\n`;
}

function findFault({ name, version, license, texts }: Component): string[] {
  if (!isAllowed(license)) return [`${name}@${version}: license ${license || 'not declared'}`];
  return texts.length === 0 ? [`${name}@${version}: no license text in its package`] : [];
}

/** Lines that name who holds a copyright, or the license that the text is: what differs between texts of one license. */
const OWN_LINE = /^\s*(?:copyright\b|\(c\)|©|(?:the )?(?:mit|isc) license\b)/i;

/** Components whose license texts differ in their own lines alone stand together, and the text stands once below them. */
function toNotices(components: readonly Component[]): string[] {
  const groups = new Map<string, Component[]>();
  for (const component of components) {
    const words = component.texts.map((text) => withoutOwnLines(text).replace(/\s+/g, ' ')).join('\n');
    groups.set(words, [...(groups.get(words) ?? []), component]);
  }
  return [...groups.values()].map((group) => {
    const [first, ...rest] = group;
    if (first === undefined || rest.length === 0) return group.map(toNotice).join('');
    const heads = group.map((one) => [headOf(one), ...ownLines(one)].join('\n'));
    return [...heads, ...first.texts.map((text) => withoutOwnLines(text).trim())].join('\n\n');
  });
}

const toNotice = (component: Component): string =>
  [headOf(component), ...component.texts.map((text) => linesOf(text).join('\n').trim())].join('\n\n');

const headOf = ({ name, version, license }: Component) => `${name} ${version} (${license})`;

const linesOf = (text: string) => text.split(/\r?\n/);

const ownLines = ({ texts }: Component) =>
  texts.flatMap((text) => linesOf(text).filter((line) => OWN_LINE.test(line))).map((line) => line.trim());

const withoutOwnLines = (text: string) =>
  linesOf(text)
    .filter((line) => !OWN_LINE.test(line))
    .join('\n');

/** The facts from the public definitions are data, so no SBOM of packages lists them. */
function factsNotice(): string {
  const { repository, commits, licence } = provenance;
  const named = commits.map(({ commit, day }) => `${commit} (${day})`).join(', ');
  return [
    `Facts of the public API definitions (${licence})`,
    `Names, methods, paths, shapes and limits of operations, taken from ${repository}, commits ${named}.`,
    'The text of the Apache License 2.0 is below, under @modelcontextprotocol/server.',
  ].join('\n');
}
