import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinReport, wholeIssues } from '../../src/feeds/join-report.ts';
import { readReport } from '../../src/feeds/read-report.ts';
import type { EndedFeed, SentMessage } from '../../src/feeds/types.ts';

const MESSAGES: SentMessage[] = [
  { messageId: 1, sku: 'A' },
  { messageId: 2, sku: 'B' },
  { messageId: 3, sku: 'C' },
];
const ended = (text: string, status: EndedFeed['status'] = 'DONE'): EndedFeed => ({
  ...{ feedId: '1', status, report: readReport(text) },
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
    expect(wholeIssues(MESSAGES, feed)).toMatchObject([{ code: '90220' }]);
  });
  it('unknown where the feed was broken off, but for what the report refuses', () => {
    expect(outcomes(ended(json(3), 'FATAL'))).toEqual(['unknown', 'unknown', 'unknown']);
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
  it('an issue of a severity that nobody knows counts as an error', () => {
    expect(outcomes(ended(json(3, { ...error(1), severity: 'CRITICAL' })))[0]).toBe('not_accepted');
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

it('whatever a report holds, no message is accepted that it names an error of, and each has an outcome', () => {
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
          const hasError = issues.some(
            (one) => one.messageId === messageId && ['ERROR', 'x'].includes(one.severity),
          );
          if (hasError || status !== 'DONE') expect(outcome).not.toBe('accepted');
        }
        const told = results.filter(({ outcome }) => outcome === 'accepted').length;
        expect(told).toBeLessThanOrEqual(accepted);
      },
    ),
  );
});
