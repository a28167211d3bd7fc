/** Generates docs/conformance.md: what of the conformance suite applies here, and why the rest does not. */

import type { GeneratedFile } from '../generate.ts';
import {
  APPLICABLE,
  BRIDGE,
  CHECKS_LEFT_OUT,
  NOT_APPLICABLE,
  SPEC_VERSIONS,
  SUITE,
} from '../matrix/conformance-scenarios.ts';

export function generateConformanceDoc(): GeneratedFile[] {
  const text = [
    '<!-- Generated from scripts/matrix/conformance-scenarios.ts by scripts/generate.ts. Do not edit. -->',
    '# Conformance',
    `\`npm run matrix\` runs \`${SUITE}\` at ${SPEC_VERSIONS.join(' and ')}. The suite speaks HTTP and this server stdio, so \`${BRIDGE}\` stands between them. A scenario that the suite has and that is in neither list below fails the run.`,
    '## Scenarios that apply',
    bullets(APPLICABLE.map(code)),
    'Of these, single checks need a tool of a fixed name; the suite itself calls them not testable here:',
    bullets(Object.entries(CHECKS_LEFT_OUT).map(([id, why]) => `${code(id)}: ${why}`)),
    '## Scenarios that do not apply',
    ...NOT_APPLICABLE.flatMap(({ why, scenarios }) => [why, bullets(scenarios.map(code))]),
  ];
  return [{ path: 'docs/conformance.md', text: `${text.join('\n\n')}\n` }];
}

const code = (name: string) => `\`${name}\``;
const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
