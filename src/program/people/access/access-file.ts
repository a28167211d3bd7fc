/**
 * Parses access.yaml: which user or group may read or write which accounts, and how writes are confirmed.
 * Mistakes are reported with their line.
 */

import { type Document, isMap, LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { isAccountName } from '../../../accounts/account.ts';
import { ConfigError } from '../../../base/errors.ts';
import { quoteText } from '../../../base/text/escape-text.ts';

/** The ways of confirmation, strictest first; the strictest that applies is used. */
export const CONFIRMATION_MODES = ['ask', 'code', 'allow'] as const;
export type ConfirmationMode = (typeof CONFIRMATION_MODES)[number];

/** Replaces the names and means all accounts of the server. */
export const ALL_ACCOUNTS = '*';

export const MAX_ACCESS_FILE_BYTES = 1_048_576;
const MAX_ENTRIES = 10_000;
const MAX_SHOWN_PROBLEMS = 10;

const text = z.string().min(1).max(500);
const account = z
  .string()
  .refine(isAccountName, 'must be the name of an account: 1 to 64 letters, digits, or any of _ . @ -');
const entryFields = {
  accounts: z.union([z.literal(ALL_ACCOUNTS), z.array(account).min(1)], {
    error: `must be a list of accounts, or "${ALL_ACCOUNTS}" for all`,
  }),
  rights: z.enum(['read', 'write']).default('read'),
  confirm: z.enum(CONFIRMATION_MODES).optional(),
};
const userSchema = z.strictObject({ person: text, issuer: z.url().optional(), ...entryFields });
const groupSchema = z.strictObject({ group: text, issuer: z.url().optional(), ...entryFields });
const fileSchema = z.strictObject({ access: z.array(z.unknown()).max(MAX_ENTRIES) });

export type AccessEntry = z.output<typeof userSchema> | z.output<typeof groupSchema>;

/**
 * Parses the file.
 * @throws ConfigError that names each mistake with its line, and the next step
 */
export function parseAccess(source: string, file: string): readonly AccessEntry[] {
  if (Buffer.byteLength(source) > MAX_ACCESS_FILE_BYTES) throw wrong([`${file} is larger than 1 MB`]);
  const lines = new LineCounter();
  const document = parseDocument(source, { version: '1.2', prettyErrors: false, lineCounter: lines });
  const at = (offset: number) => `${file}:${lines.linePos(offset).line}`;
  const { errors } = document;
  if (errors.length > 0)
    throw wrong(errors.map(({ pos, message }) => `${at(pos[0])}: is not YAML: ${message.split('\n')[0]}`));
  const formatIssues = (issues: readonly z.core.$ZodIssue[], within: readonly PropertyKey[] = []) =>
    issues.map((issue) => {
      const path = [...within, ...issue.path];
      return `${at(offsetOf(document, path, issue))}: ${nameOf(path)}${formatIssue(issue)}`;
    });
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  const whole = fileSchema.safeParse(value);
  if (!whole.success) throw wrong(formatIssues(whole.error.issues));
  const problems: string[] = [];
  const entries: AccessEntry[] = [];
  for (const [index, one] of whole.data.access.entries()) {
    const isGroup = typeof one === 'object' && one !== null && 'group' in one && !('person' in one);
    const parsed = isGroup ? groupSchema.safeParse(one) : userSchema.safeParse(one);
    if (parsed.success) entries.push(parsed.data);
    else problems.push(...formatIssues(parsed.error.issues, ['access', index]));
  }
  if (problems.length > 0) throw wrong(problems);
  return entries;
}

function wrong(problems: readonly string[]): ConfigError {
  const shown = problems.slice(0, MAX_SHOWN_PROBLEMS);
  const more = problems.length - shown.length;
  return new ConfigError(
    `The access file has a mistake. ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    'Correct the line and save the file: it is read again by itself. docs/server.md has an example.',
  );
}

function nameOf(path: readonly PropertyKey[]): string {
  const [, index, ...rest] = path;
  if (typeof index !== 'number') return path.length === 0 ? '' : `${path.map(String).join('.')} `;
  return `entry ${index + 1}${rest.length === 0 ? '' : `, ${rest.map(String).join('.')}`} `;
}

function formatIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `has ${issue.keys.map((key) => quoteText(key)).join(', ')}, which is not known: an entry has person or group, issuer, accounts, rights and confirm`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing';
  return issue.message.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}

/** Returns the position of the faulty value, or of its nearest existing parent if it is missing. */
function offsetOf(document: Document, path: readonly PropertyKey[], issue: z.core.$ZodIssue): number {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const pair = isMap(node) ? node.items.find(({ key }) => keys.includes(String(key))) : undefined;
    const range = rangeOf(pair?.key) ?? rangeOf(node);
    if (range !== undefined) return range;
  }
  return 0;
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) && typeof node.range[0] === 'number' ? node.range[0] : undefined;
}
