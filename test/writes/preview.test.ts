/** What a person reads before a yes: everything that changes, within a bound, nothing of it able to mislead. */

import { describe, expect, it } from 'vitest';
import type { PreparedRequest } from '../../src/client/client.ts';
import { findDifferences } from '../../src/json-difference.ts';
import { supplySourceWrite } from '../../src/service/facts/documented-operations.ts';
import { describePreview, type PreviewParts } from '../../src/writes/preview.ts';
import { warnAboutSupplySource } from '../../src/writes/supply-source/warnings.ts';
import { OWNER } from './open-guard.ts';

const show = (text: string) => `<${text.replace(/\u202e/g, 'RLO')}>`;
const request = (body?: unknown): PreparedRequest => ({
  method: 'PUT',
  url: 'https://service.example/x',
  headers: {},
  filledIn: {},
  owner: OWNER,
  body,
});
const preview = (parts: Partial<PreviewParts>, maxTokens?: number) =>
  describePreview(
    { operation: supplySourceWrite(), account: 'default', request: request(), warnings: [], ...parts },
    show,
    maxTokens,
  );

describe('a body without a state to compare it with', () => {
  it('stands on one line while it is short', () => {
    expect(preview({ request: request({ alias: 'x' }) })).toContain('\nBody: <{ alias: "x" }>\n');
  });

  it('is shown member by member when it is long, the last one too', () => {
    const patches = Array.from({ length: 12 }, (_, at) => ({ op: 'replace', path: `/attributes/a${at}` }));
    const lines = preview({ request: request({ productType: 'LAMP', patches }) }).split('\n');
    expect(lines).toContain('  productType: <"LAMP">');
    expect(lines).toContain('  patches[11]: <{ op: "replace", path: "/attributes/a11" }>');
  });
});

it('stays within its bound, counts what it does not list, and keeps what is asked about', () => {
  const after = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`member${at}`, 'x'.repeat(100)]));
  for (const maxTokens of [300, 1_000, 50_000]) {
    const text = preview({ differences: findDifferences({}, after) }, maxTokens);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.min(maxTokens, 2_000) * 3);
    expect(text).toMatch(/^Write: updateSupplySource, account default\nChanges \(3000\)/);
    expect(text).toMatch(/\.\.\. and \d+ more lines that are not listed here\nRequest: PUT https:/);
  }
});

it('warnings leave room for the changes, and changes for the warnings', () => {
  const numbers = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`n${at}`, -1]));
  const text = preview({
    differences: findDifferences({}, numbers),
    warnings: warnAboutSupplySource(numbers),
  });
  expect(text).toContain('n0: added <-1>');
  expect(text).toContain('n0: <-1 is negative>');
});

it('shows the names in warnings as carefully as their values', () => {
  const warnings = warnAboutSupplySource({ 'na\u202eme': { email: 'none' } });
  expect(preview({ warnings })).toContain('["<naRLOme>"]');
  expect(preview({ warnings })).not.toContain('\u202e');
});

it('a reason why nothing can be compared is cut like everything else', () => {
  const text = preview({ noDifferences: 'x'.repeat(100_000), request: request({ alias: 'y' }) }, 500);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_500);
  expect(text).toContain('Body: <{ alias: "y" }>');
});

it('the person sees what the account fills in: which seller it is', () => {
  const filledIn = { sellerId: 'A1SEL\u202eLER', marketplaceId: 'ATVPDKIKX0DER' };
  expect(preview({ request: { ...request({ alias: 'x' }), filledIn } }).split('\n')).toEqual([
    'Write: updateSupplySource, account default',
    'Body: <{ alias: "x" }>',
    'Taken from the account: sellerId = <A1SELRLOLER>, marketplaceId = <ATVPDKIKX0DER>',
    'Request: PUT https://service.example/x',
  ]);
});

it('says when nothing would change, and what is removed when it is a deletion', () => {
  const operation = { ...supplySourceWrite(), effect: 'delete', name: 'archiveSupplySource' } as const;
  expect(preview({ operation, differences: [] }).split('\n')).toEqual([
    'Delete: archiveSupplySource, account default',
    'Changes: none; the current state is already like this.',
    'Request: PUT https://service.example/x',
  ]);
});

it('is complete where it fits: head, reason, body, warnings, request', () => {
  const text = preview({
    noDifferences: 'The service did not answer.',
    request: request({ n: -1 }),
    warnings: warnAboutSupplySource({ n: -1 }),
  });
  expect(text.split('\n')).toEqual([
    'Write: updateSupplySource, account default',
    'The changes cannot be shown: The service did not answer.',
    'Body: <{ n: -1 }>',
    'Probably wrong, though it can be sent:',
    '  n: <-1 is negative>',
    'Request: PUT https://service.example/x',
  ]);
});
