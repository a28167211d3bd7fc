import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndedFeed, SentMessage } from '../../../../src/write/handlers/feed/feed.ts';
import { feedFacts } from '../../../../src/write/handlers/feed/feed-item.ts';
import { findWholeIssues, joinReport } from '../../../../src/write/handlers/feed/join-report.ts';
import { readReport } from '../../../../src/write/handlers/feed/read-report.ts';
import { countResults, outcomeOf } from '../../../../src/write/handlers/feed/settle-feed.ts';

const MESSAGES: SentMessage[] = [
  { messageId: 1, sku: 'A' },
  { messageId: 2, sku: 'B' },
  { messageId: 3, sku: 'C' },
];
const ended = (text: string, status: EndedFeed['status'] = 'DONE'): EndedFeed => ({
  feedId: '1',
  status,
  report: readReport(text),
});
const outcomes = (feed: EndedFeed, messages = MESSAGES) =>
  joinReport(messages, feed).map(({ outcome }) => outcome);
const json = (accepted: number, ...issues: object[]) =>
  JSON.stringify({ header: {}, issues, summary: { messagesProcessed: 3, messagesAccepted: accepted } });
const error = (messageId: number | undefined) => ({
  messageId,
  code: '90220',
  severity: 'ERROR',
  message: 'missing',
});

describe('of each message it is told', () => {
  it('accepted where the report names no error of it, and the counts agree', () => {
    expect(outcomes(ended(json(2, error(2), { ...error(3), severity: 'WARNING' })))).toEqual([
      'accepted',
      'not_accepted',
      'accepted',
    ]);
  });
  it('unknown where fewer were accepted than have no error', () => {
    expect(outcomes(ended(json(1, error(2))))).toEqual(['unknown', 'not_accepted', 'unknown']);
  });
  it('not accepted where none was, for the reasons of the whole', () => {
    const feed = ended(json(0, error(undefined)));
    expect(outcomes(feed)).toEqual(['not_accepted', 'not_accepted', 'not_accepted']);
    expect(findWholeIssues(MESSAGES, feed)).toMatchObject([{ code: '90220' }]);
  });
  it('unknown where the feed was broken off, but for what the report refuses', () => {
    expect(outcomes(ended(json(3), 'FATAL'))).toEqual(['unknown', 'unknown', 'unknown']);
    // It may have counted before it did anything.
    expect(outcomes(ended(json(0), 'FATAL'))).toEqual(['unknown', 'unknown', 'unknown']);
    expect(outcomes(ended(json(2, error(2)), 'FATAL'))).toEqual(['unknown', 'not_accepted', 'unknown']);
  });
  it('unknown without a report that is understood', () => {
    expect(outcomes(ended('<html>oops</html>'))).toEqual(['unknown', 'unknown', 'unknown']);
    expect(outcomes({ feedId: '1', status: 'DONE' })).toEqual(['unknown', 'unknown', 'unknown']);
    expect(outcomes({ feedId: '1', status: 'CANCELLED' })).toEqual([
      'not_accepted',
      'not_accepted',
      'not_accepted',
    ]);
  });
  it('what the report names, where what was sent is not known', () => {
    expect(joinReport([], ended(json(2, error(2))))).toMatchObject([
      { messageId: 2, outcome: 'not_accepted' },
    ]);
  });
  it.each(['CRITICAL', undefined, '', 7])('unknown with an issue of the severity %j', (severity) => {
    const odd = { ...error(1), severity };
    expect(outcomes(ended(json(3, odd)))).toEqual(['unknown', 'accepted', 'accepted']);
    expect(outcomes(ended(json(2, odd)))).toEqual(['unknown', 'accepted', 'accepted']);
    expect(outcomes(ended(json(1, odd)))).toEqual(['unknown', 'unknown', 'unknown']);
    expect(outcomes(ended(json(2, odd, error(1))))).toEqual(['not_accepted', 'accepted', 'accepted']);
  });
  it.each([
    ['no counts', { issues: [error(2)] }],
    ['no count of the accepted', { issues: [error(2)], summary: { messagesProcessed: 3 } }],
    [
      'counts of another feed',
      { issues: [error(2)], summary: { messagesProcessed: 9, messagesAccepted: 8 } },
    ],
    [
      'more accepted than it leaves',
      { issues: [error(2)], summary: { messagesProcessed: 3, messagesAccepted: 3 } },
    ],
    ['counts that are none', { issues: [error(2)], summary: { messagesProcessed: 3, messagesAccepted: -2 } }],
    [
      'an error of a message that is none',
      {
        issues: [error(2), { ...error(1), messageId: 'x' }],
        summary: { messagesProcessed: 3, messagesAccepted: 2 },
      },
    ],
  ])('unknown from a report with %s, but for what it refuses', (_case, report) => {
    expect(outcomes(ended(JSON.stringify(report)))).toEqual(['unknown', 'not_accepted', 'unknown']);
  });
  it('not accepted where its number is written as a text', () => {
    const text = { ...error(undefined), messageId: '2' };
    expect(outcomes(ended(json(2, text)))).toEqual(['accepted', 'not_accepted', 'accepted']);
  });
  it('unknown where the number is of one message and the SKU of another', () => {
    const feed = ended(json(2, { ...error(2), sku: 'C' }));
    expect(outcomes(feed)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(findWholeIssues(MESSAGES, feed)).toHaveLength(1);
  });
  it('unknown of both where a SKU was sent twice, and nobody says which is meant', () => {
    const twice = [...MESSAGES, { messageId: 4, sku: 'B' }];
    const table = (record: string) =>
      `Number of records processed\t4\nNumber of records successful\t3\n\noriginal-record-number\tsku\terror-code\terror-type\n${record}\tB\t1\tError\n`;
    expect(outcomes(ended(table('')), twice)).toEqual(['accepted', 'unknown', 'accepted', 'unknown']);
    expect(outcomes(ended(table('4')), twice)).toEqual(['accepted', 'accepted', 'accepted', 'not_accepted']);
  });
  it('unknown where a table counts in numbers that cannot be read', () => {
    const text =
      'Number of records processed\t\t1.003\nNumber of records successful\t\t1.003\n\nerror-code\n';
    expect(outcomes(ended(text))).toEqual(['unknown', 'unknown', 'unknown']);
  });
});

it('the report of a table is read, by SKU before number', () => {
  const text = [
    'Feed Processing Summary:',
    '\tNumber of records processed\t\t3',
    '\tNumber of records successful\t\t2',
    '',
    'original-record-number\tsku\terror-code\terror-type\terror-message',
    '4\tB\t8560\tError\tSKU B does not match "any" ASIN',
    '4\tC\t99041\tWarning\tA value is missing',
    '',
  ].join('\r\n');
  expect(readReport(text)).toMatchObject({
    form: 'table',
    processed: 3,
    accepted: 2,
    issues: [{ sku: 'B', messageId: 4 }, {}],
  });
  expect(outcomes(ended(text))).toEqual(['accepted', 'not_accepted', 'accepted']);
});

it('the report of an XML feed is read', () => {
  const text = `<?xml version="1.0"?><AmazonEnvelope><Message><ProcessingReport><DocumentTransactionID>1</DocumentTransactionID>
    <ProcessingSummary><MessagesProcessed>3</MessagesProcessed><MessagesSuccessful>2</MessagesSuccessful></ProcessingSummary>
    <Result><MessageID>2</MessageID><ResultCode>Error</ResultCode><ResultMessageCode>18028</ResultMessageCode>
    <ResultDescription>The &lt;order&gt; is &amp;lt; unknown</ResultDescription></Result></ProcessingReport></Message></AmazonEnvelope>`;
  const feed = ended(text);
  expect(outcomes(feed)).toEqual(['accepted', 'not_accepted', 'accepted']);
  expect(joinReport(MESSAGES, feed)[1]?.issues[0]).toMatchObject({
    code: '18028',
    message: 'The <order> is &lt; unknown',
  });
});

it.each([
  ['', 'it is empty'],
  ['{"a": ', 'begins like JSON'],
  ['{"a": 1}', 'another form'],
  ['['.repeat(100_000), 'nested too deeply'],
  ['<!DOCTYPE html><html></html>', 'XML or HTML'],
  ['Internal error', 'neither JSON nor a table'],
])('%.20j is told as no report', (text, why) => {
  expect(readReport(text)).toMatchObject({ form: 'unknown', why: expect.stringContaining(why) });
});

it('whatever a report leaves out, nothing is told that did not happen', () => {
  const SEVERITIES = ['ERROR', 'Error', 'CRITICAL', undefined];
  const remarks = fc.array(fc.constantFrom('WARNING', 'INFO', 'SUGGESTION', undefined), { maxLength: 2 });
  const message = fc.record({
    isAccepted: fc.boolean(),
    severity: fc.constantFrom(...SEVERITIES),
    remarks,
    /** How the report names it. */
    name: fc.constantFrom('number', 'text', 'unreadable', 'none'),
  });
  const counted = fc.constantFrom('both', 'accepted', 'processed', 'none');
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 5 }),
      counted,
      fc.constantFrom('DONE', 'FATAL'),
      fc.boolean(),
      (truth, counts, status, isOfAnother) => {
        const issues = truth.flatMap(({ isAccepted, severity, remarks: told, name }, at) => {
          const messageId = { number: at + 1, text: String(at + 1), unreadable: `m${at}`, none: undefined }[
            name
          ];
          return [...(isAccepted ? [] : [severity]), ...told].map((one) => ({ messageId, severity: one }));
        });
        const accepted = truth.filter(({ isAccepted }) => isAccepted).length;
        const summary = {
          ...(counts === 'both' || counts === 'processed' ? { messagesProcessed: truth.length } : {}),
          ...(counts === 'both' || counts === 'accepted' ? { messagesAccepted: accepted } : {}),
        };
        // Ours has one message more than a feed of another program, whose report it is.
        const sent = [...truth, ...(isOfAnother ? [undefined] : [])].map((_one, at) => ({
          messageId: at + 1,
        }));
        const results = joinReport(sent, ended(JSON.stringify({ issues, summary }), status));
        expect(results.map(({ messageId }) => messageId)).toEqual(sent.map(({ messageId }) => messageId));
        for (const [at, { outcome }] of results.entries()) {
          const isAccepted = truth[at]?.isAccepted ?? false;
          if (outcome === 'accepted') expect(isAccepted && status === 'DONE').toBe(true);
          if (outcome === 'not_accepted') expect(isAccepted).toBe(false);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

it('whatever a report holds, no more is told as accepted than it counts', () => {
  const issue = fc.record({
    messageId: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
    severity: fc.constantFrom('ERROR', 'WARNING', 'INFO', 'x'),
    message: fc.string(),
  });
  fc.assert(
    fc.property(
      fc.array(issue),
      fc.integer({ min: 0, max: 4 }),
      fc.constantFrom('DONE', 'FATAL', 'CANCELLED'),
      (issues, accepted, status) => {
        const results = joinReport(MESSAGES, ended(json(accepted, ...issues), status));
        expect(results.map(({ messageId }) => messageId)).toEqual([1, 2, 3]);
        for (const { messageId, outcome } of results) {
          const isNamed = issues.some(
            (one) => one.messageId === messageId && ['ERROR', 'x'].includes(one.severity),
          );
          if (isNamed || status !== 'DONE') expect(outcome).not.toBe('accepted');
        }
        const acceptedCount = results.filter(({ outcome }) => outcome === 'accepted').length;
        expect(acceptedCount).toBeLessThanOrEqual(accepted);
      },
    ),
  );
});

describe('of a feed whose messages are not known', () => {
  const xml = (processed: string, ...refused: number[]) =>
    `<ProcessingReport><ProcessingSummary>${processed}</ProcessingSummary>${refused
      .map((id) => `<Result><MessageID>${id}</MessageID><ResultCode>Error</ResultCode></Result>`)
      .join('')}</ProcessingReport>`;
  const counts = (all: number, fine: number) =>
    `<MessagesProcessed>${all}</MessagesProcessed><MessagesSuccessful>${fine}</MessagesSuccessful>`;
  it.each([
    [
      'accepted in part',
      xml(counts(10, 8), 2, 5),
      'partly_accepted',
      { accepted: 8, not_accepted: 2, unknown: 0 },
    ],
    ['all accepted', xml(counts(4, 4)), 'done', { accepted: 4, not_accepted: 0, unknown: 0 }],
    ['all refused', xml(counts(4, 0), 0), 'not_accepted', { accepted: 0, not_accepted: 4, unknown: 0 }],
    ['counted falsely', xml(counts(4, 4), 1), 'unknown', { accepted: 0, not_accepted: 1, unknown: 3 }],
    ['not counted', xml('', 2), 'unknown', { accepted: 0, not_accepted: 1, unknown: 0 }],
    ['not counted, and nothing named', xml(''), 'unknown', { accepted: 0, not_accepted: 0, unknown: 0 }],
  ])('what the report counts is told: %s', (_case, text, outcome, acceptedCount) => {
    const feed = ended(text);
    const results = joinReport([], feed);
    const facts = feedFacts(feed, [], results);
    expect(countResults(results, facts)).toEqual(acceptedCount);
    expect(outcomeOf(facts, countResults(results, facts))).toBe(outcome);
  });
});
