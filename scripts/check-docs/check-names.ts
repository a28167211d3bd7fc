/** Every environment variable, tool, prompt and argument that a document names must exist. */

import type { Facts } from './facts.ts';
import { type Finding, finding } from './finding.ts';
import type { Document } from './read-document.ts';

/** Names in snake_case of others: from the token exchange, the bundle's manifest, tokens of a login, and PostgreSQL with the tables in it. */
const FOREIGN = new Set([
  'batch_items',
  'batch_lines',
  'batch_values',
  'client_credentials',
  'invalid_client',
  'invalid_grant',
  'manifest_version',
  'offline_access',
  'pg_upgrade',
  'preferred_username',
  'seller_commerce_mcp',
  'synchronous_commit',
  'user_config',
]);

export function checkNames(document: Document, facts: Pick<Facts, 'variables' | 'names'>): Finding[] {
  return [...checkVariables(document, facts), ...checkSnakeCase(document, facts)];
}

/** Checks names of variables in prose too, because nothing else begins this way. */
function checkVariables(document: Document, { variables }: Pick<Facts, 'variables'>): Finding[] {
  return document.text
    .split('\n')
    .flatMap((text, i) =>
      [...text.matchAll(/\bSELLER_[A-Z][A-Z_]*/g)]
        .filter(([name]) => !variables.has(name))
        .map(([name]) => finding(document, { line: i + 1 }, `there is no setting ${name}`)),
    );
}

function checkSnakeCase(document: Document, { names }: Pick<Facts, 'names'>): Finding[] {
  return (
    document.spans
      .filter(({ text }) => /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(text))
      // The conformance suite's own tools begin with test_.
      .filter(({ text }) => !names.has(text) && !FOREIGN.has(text) && !text.startsWith('test_'))
      .map((part) =>
        finding(
          document,
          part,
          `${part.text} is no tool, prompt, report type, and no argument or member of a tool`,
        ),
      )
  );
}
