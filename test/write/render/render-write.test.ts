/** One write, told in both forms: where it stands, what happened, how to go on; each fact in lines and in data. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../src/base/errors.ts';
import type { JsonDifference } from '../../../src/base/json-difference.ts';
import { ServiceText } from '../../../src/base/text/service-text.ts';
import type { CallResult, PreparedRequest } from '../../../src/call/client-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import type { ReadBack } from '../../../src/write/model/change.ts';
import { type Change, unknownChange } from '../../../src/write/model/change.ts';
import type { Verdict } from '../../../src/write/model/verdict.ts';
import {
  DIFFERENCE_LEGEND,
  renderValidation,
  renderWrite,
  type WriteAnswerParts,
} from '../../../src/write/render/render-write.ts';
import { apiResponse } from '../../helpers/api-request.ts';
import { expectOnlyIn } from '../../helpers/only-in.ts';
import { OWNER } from '../run/open-guard.ts';

const registry = await loadRegistry();

const OPTIONS = { maxTokens: 5_000, redact: (text: string) => text.replace('SECRET', '***'), now: 0 };
const request = (more: Partial<PreparedRequest> = {}): PreparedRequest => ({
  method: 'PATCH',
  url: 'https://service.test/x',
  parameters: { sku: 'LMP-1', sellerId: OWNER.sellerId },
  headers: { 'content-type': 'application/json' },
  filledIn: {},
  owner: OWNER,
  marketplaces: [],
  ...more,
});
const response = (more: Partial<CallResult> = {}): CallResult => ({
  ...apiResponse(200, {}, {}),
  owner: OWNER,
  filledIn: {},
  ...more,
});
const DIFFERENCE: JsonDifference = {
  path: 'attributes.item_name',
  segments: ['attributes', 'item_name'],
  kind: 'changed',
  before: [{ value: 'A' }],
  after: [{ value: 'B' }],
};
const LISTING: Change = {
  subject: { kind: 'listing', sku: 'LMP-1', title: 'Lamp' },
  places: ['A1PA6795UKMFR9'],
  toldParameters: [],
  before: { item_name: [{ value: 'A' }] },
  after: { item_name: [{ value: 'B' }] },
  differences: [DIFFERENCE],
  isWhole: true,
  warnings: [],
};
const WARNING = { path: 'a', segments: ['a'], message: 'is odd', how: 'add b' };
const PATCH = 'listings-items/patchListingsItem';
const answerWrite = (more: Partial<WriteAnswerParts>, name = PATCH, options = OPTIONS) =>
  renderWrite(
    {
      account: 'acme',
      operation: registry.find(name),
      request: request(),
      preview: 'THE PREVIEW',
      change: LISTING,
      result: { outcome: 'preview' },
      ...more,
    },
    options,
  );
const NO: Verdict = {
  outcome: 'not_accepted',
  signs: ['status INVALID'],
  reasons: [{ code: '90220', message: 'missing' }],
  items: [],
};

describe('what is only shown', () => {
  it('has the preview, how to go on, and the request in its details', () => {
    const answer = answerWrite({ saveAs: 'a.json', remark: 'by the way' });
    expect(answer.lines).toEqual(['THE PREVIEW', '', 'This is a preview; nothing was sent.']);
    expect(answer.facts).toMatchObject({
      outcome: 'preview',
      account: 'acme',
      operation: PATCH,
      changed: { sku: 'LMP-1', title: 'Lamp', where: 'Germany' },
      next_step: 'This is a preview; nothing was sent.',
      in_words: 'LMP-1 "Lamp", Germany: title: "A" -> "B". Nothing else changes.',
      save_as: 'a.json',
      request: { method: 'PATCH', url: 'https://service.test/x' },
    });
    expect(answer.facts.note).toMatch(
      / Differences: before = current state, after = what is sent\. by the way$/,
    );
    expect(answer.facts.effect).toBeUndefined();
    expect(answer.details).toEqual({
      request: {
        parameters: { sku: 'LMP-1', sellerId: OWNER.sellerId },
        headers: { 'content-type': 'application/json' },
      },
      differences: [
        { path: DIFFERENCE.path, kind: 'changed', before: [{ value: 'A' }], after: [{ value: 'B' }] },
      ],
      warnings: [],
    });
  });
  it('with a code names it in the line, and beside it in the facts', () => {
    const answer = answerWrite({ result: { outcome: 'needs_confirmation', code: 'aaaa-bbbb' } });
    expect(answer.lines.join('\n')).toContain('confirmationCode "aaaa-bbbb"');
    expect(answer.facts).toMatchObject({ outcome: 'needs_confirmation', confirmation_code: 'aaaa-bbbb' });
    expect(answer.facts.next_step).not.toContain('aaaa-bbbb');
  });
  it('says what the account fills in, what is not known, what cannot be undone and what is doubtful', () => {
    const change = { ...unknownChange('it is blue'), cannotUndo: 'it is gone.', warnings: [WARNING] };
    const answer = answerWrite(
      { change, request: request({ filledIn: { sellerId: 'X' }, body: { a: 1 } }) },
      'supply-sources/archiveSupplySource',
    );
    expect(answer.facts).toMatchObject({
      cannot_undo: 'it is gone.',
      effect: 'delete',
      in_words: undefined,
      changed: undefined,
    });
    expectOnlyIn(DIFFERENCE_LEGEND, answerWrite({ change: LISTING }).facts.note, answer.facts.note);
    expect(answer.details).toMatchObject({
      request: { parameters: { sku: 'LMP-1', sellerId: 'X' }, filled_in: { sellerId: 'X' }, body: { a: 1 } },
      no_differences: 'it is blue',
      warnings: [{ path: 'a', message: 'is odd', how: 'add b' }],
    });
    expect(answer.details).not.toHaveProperty('differences');
  });
  it('says what the service would say', () => {
    const validation = { mode: 'VALIDATION_PREVIEW', response: response(), verdict: NO };
    const answer = answerWrite({ validation });
    expect(answer.lines.slice(1, 3)).toEqual([
      'Checked by the service (1 of 1): it would NOT accept it, status INVALID.',
      '  90220: «missing»',
    ]);
    expect(answer.facts.validation).toEqual({ tried: 1, of: 1, would_be_accepted: false });
    expect(answer.details).toMatchObject({ signs: ['status INVALID'], reasons: NO.reasons });
    expect(answer.details).not.toHaveProperty('items');
  });
  it('says why it was not checked, without secrets', () => {
    const problem = new NetworkError('X', 'not-sent', 'no SECRET came');
    expect(renderValidation({ mode: 'V', problem }, OPTIONS)).toEqual({
      lines: ['Not checked by the service (0 of 1): no *** came'],
      facts: { tried: 0, of: 1, problem: 'no *** came' },
      details: {},
    });
  });
});

describe('what was sent and accepted', () => {
  const sent = (readBack?: ReadBack, more: object = {}) =>
    ({ outcome: 'done', journalId: 'j-1', response: response(), readBack, ...more }) as const;
  it('says what changed, and its entry in the journal', () => {
    const answer = answerWrite({
      result: sent(undefined, { response: response({ requestId: new ServiceText('req-1') }) }),
    });
    expect(answer.lines).toEqual([
      'Done: LMP-1 "Lamp", Germany, account acme.',
      'Before -> after the write:',
      ...['  title: "A" -> "B"', `${PATCH}, HTTP 200.`],
      'Journal entry j-1; request req-1.',
    ]);
    expect(answer.facts).toMatchObject({ status: 200, journal_id: 'j-1', outcome: 'done' });
    expect(answer.facts.next_step).toBeUndefined();
    expect(answer.details).toEqual({
      differences: [
        { path: DIFFERENCE.path, kind: 'changed', before: [{ value: 'A' }], after: [{ value: 'B' }] },
      ],
    });
  });
  it('tells a problem of the journal, warnings that nobody has seen, and another seller', () => {
    const answer = answerWrite({
      change: { ...LISTING, warnings: [WARNING] },
      request: request({ parameters: { sellerId: 'OTHER' } }),
      result: sent(undefined, { journalProblem: 'the disk is full' }),
    });
    expect(answer.lines[0]).toContain("account acme, seller OTHER, NOT THE ACCOUNT'S OWN");
    const shown = ['Please check:', '  a: «is odd»', 'For the assistant: a: «add b».'];
    expect(answer.lines).toEqual(expect.arrayContaining(shown));
    expect(answer.lines.slice(-2)).toEqual(['Journal entry j-1.', 'the disk is full']);
    expect(answer.facts).toMatchObject({ journal_problem: 'the disk is full' });
    expect(answer.facts.seller).toBeDefined();
    expect(answer.details).toMatchObject({ warnings: [{ path: 'a', message: 'is odd', how: 'add b' }] });
  });
  it('of what is not visible yet says when to look again', () => {
    const notYet = [DIFFERENCE];
    const answer = answerWrite({
      result: sent({ differences: [], notYet }, { outcome: 'accepted_not_visible' }),
    });
    expect(answer.lines[0]).toMatch(/^Accepted, not visible yet: /);
    expect(answer.lines).toContain('Read back: accepted, not visible yet: title');
    expect(answer.facts.next_step).toBe(
      'Changes of listings appear minutes after they are accepted: look again later with read_operation listings-items/getListingsItem (includedData and select: attributes); do not send it again.',
    );
    expect(answer.facts.read_back).toEqual({});
    expect(answer.details).toMatchObject({
      read_back: { differences: [], not_visible_yet: [{ path: DIFFERENCE.path }] },
    });
    const other = answerWrite(
      {
        change: unknownChange(),
        result: sent({ differences: [], notYet }, { outcome: 'accepted_not_visible' }),
      },
      'supply-sources/updateSupplySourceStatus',
    );
    expect(other.facts.next_step).toMatch(
      /^It can take a while: look again later with read_operation [^(]*; do not/,
    );
    expect(other.lines[0]).toMatch(/updateSupplySourceStatus, account acme\.$/);
  });
  it('of what was read back says whether it is what was sent', () => {
    expect(answerWrite({ result: sent({ differences: [], notYet: [] }) })).toMatchObject({
      facts: { read_back: { matches: true } },
      details: { read_back: { differences: [] } },
    });
    const same = answerWrite({ result: sent({ differences: [], notYet: [] }) });
    expect(same.lines).toContain('Read back: the service has what was sent.');
    const answer = answerWrite({ result: sent({ differences: [DIFFERENCE], notYet: [] }) });
    expect(answer.facts.read_back).toEqual({ matches: false });
    expect(answer.lines).toContain('Read back: the service differs from what was sent:');
    expect(answer.details).toMatchObject({
      read_back: {
        differences: [{ path: DIFFERENCE.path, sent: [{ value: 'A' }], found: [{ value: 'B' }] }],
      },
    });
    const failed = answerWrite({
      result: sent({ differences: [], notYet: [], problem: new NetworkError('X', 'not-sent', 'SECRET') }),
    });
    expect(failed.facts.read_back).toEqual({ problem: '***' });
    expect(failed.lines).toContain('It could not be read back: "***"');
    expect(failed.details).not.toHaveProperty('read_back');
  });
});

describe('what was sent and not accepted', () => {
  const items = fc.array(
    fc.record({
      accepted: fc.boolean(),
      name: fc.constantFrom(undefined, 'S1', 'S2'),
      hasReason: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );
  it('names each item, those that were refused first', () => {
    fc.assert(
      fc.property(items, (some) => {
        const all = some.map(({ accepted, name, hasReason }, at) => ({
          at,
          name,
          accepted,
          reasons: hasReason && !accepted ? [{ code: `c${at}`, message: 'no' }] : [],
        }));
        const verdict: Verdict = {
          outcome: 'partly_accepted',
          signs: ['2 of 3 items'],
          reasons: [],
          items: all,
        };
        const result = {
          outcome: 'partly_accepted',
          journalId: 'j-1',
          response: response(),
          verdict,
        } as const;
        const answer = answerWrite({ result });
        const words = (isYes: boolean) =>
          all
            .filter(({ accepted }) => accepted === isYes)
            .map(({ at, name, reasons }) => {
              const why = reasons.length === 0 ? '' : `: c${at}: «no»`;
              return `  ${name ?? `item ${at + 1}`}: ${isYes ? 'accepted' : `not accepted${why}`}`;
            });
        expect(answer.lines).toEqual([
          `ACCEPTED IN PART: ${PATCH} for account acme (HTTP 200, 2 of 3 items). It was about LMP-1 "Lamp", Germany.`,
          ...words(false),
          ...words(true),
          'The service accepted some items and refused others. Send again only what was refused, corrected; never what was accepted.',
          'Journal entry j-1.',
        ]);
        expect(answer.details).toEqual({
          signs: ['2 of 3 items'],
          items: all.map(({ at, name, accepted, reasons }) => ({
            item: name ?? at + 1,
            accepted,
            ...(reasons.length === 0 ? {} : { reasons }),
          })),
        });
      }),
    );
  });
  it('of a request that is not in the journal says its id alone', () => {
    const result = {
      outcome: 'not_accepted',
      response: response({ requestId: new ServiceText('r-1') }),
      verdict: NO,
    } as const;
    const answer = answerWrite({ change: unknownChange(), result });
    expect(answer.lines[0]).toBe(`NOT ACCEPTED: ${PATCH} for account acme (HTTP 200, status INVALID).`);
    expect(answer.lines.at(-1)).toBe('Request r-1.');
    expect(answerWrite({ result: { ...result, response: response() } }).lines.at(-1)).toBe('No request id.');
    expect(answer.facts).toMatchObject({ outcome: 'not_accepted', status: 200, request_id: 'r-1' });
  });
  it('explains the issues of a listing', () => {
    const issues = [{ code: '90220', message: 'm', severity: 'ERROR', attributeNames: ['item_name'] }];
    const result = {
      outcome: 'not_accepted',
      response: response({ body: { issues } }),
      verdict: NO,
    } as const;
    const answer = answerWrite({ result });
    expect(answer.lines.join('\n')).toContain('item_name');
    expect(answer.lines).not.toContain('  90220: «missing»');
  });
});

describe('what was only requested', () => {
  const accepted: Verdict = { outcome: 'accepted', signs: [], reasons: [], items: [] };
  it('changed nothing, and says how far it has come', () => {
    const result = {
      outcome: 'requested',
      response: response({ idempotencyKey: 'k-1' }),
      verdict: accepted,
      work: {
        state: 'working',
        reasons: [],
        reader: { operation: 'reports/getReport', parameters: { reportId: 'r' } },
      },
    } as const;
    const answer = answerWrite(
      { change: { ...unknownChange(), warnings: [WARNING] }, result },
      'reports/createReport',
    );
    const [how] = answer.lines.slice(-1);
    expect(answer.lines).toEqual([
      expect.stringMatching(
        /^Requested: reports\/createReport for account acme \(HTTP 200\)\. Nothing was changed\./,
      ),
      'Please check:',
      ...['  a: «is odd»', 'For the assistant: a: «add b».', how],
    ]);
    expect(how).toContain('read_operation {"operation":"reports/getReport","parameters":{"reportId":"r"}}');
    expect(answer.facts).toMatchObject({ next_step: `Nothing was changed. ${how}`, idempotency_key: 'k-1' });
  });
  it('says no where the service would', () => {
    const answer = answerWrite({
      change: unknownChange(),
      result: { outcome: 'requested', response: response(), verdict: NO },
    });
    expect(answer.lines).toEqual([
      `Requested: ${PATCH} for account acme (HTTP 200). Nothing was changed.`,
      'The service would NOT accept it, status INVALID.',
      '  90220: «missing»',
    ]);
  });
});
