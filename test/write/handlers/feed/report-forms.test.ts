/** One processing report in the three forms in which the service gives it: whatever it says is read the same. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndedFeed, ReportIssue, SentMessage } from '../../../../src/write/handlers/feed/feed.ts';
import { feedFacts } from '../../../../src/write/handlers/feed/feed-item.ts';
import { joinReport } from '../../../../src/write/handlers/feed/join-report.ts';
import { readReport } from '../../../../src/write/handlers/feed/read-report.ts';
import {
  countResults,
  formatMessageCounts,
  formatReportedCounts,
  outcomeOf,
} from '../../../../src/write/handlers/feed/settle-feed.ts';

const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 &<>"'.-]{0,12}[A-Za-z0-9]$/);
const severity = fc.constantFrom('ERROR', 'WARNING', 'INFO', 'UNKNOWN');
const issue = fc.record(
  {
    messageId: fc.integer({ min: 1, max: 99 }),
    sku: word,
    severity,
    code: fc.stringMatching(/^[1-9]\d{3}$/),
    message: word,
  },
  { requiredKeys: ['severity'] },
);
const reports = fc.record({
  processed: fc.nat({ max: 99 }),
  accepted: fc.nat({ max: 99 }),
  issues: fc.array(issue, { maxLength: 5 }),
});
type Report = { processed: number; accepted: number; issues: ReportIssue[] };

/** The same results in the spelling of each form. */
const SPELLED = {
  ERROR: ['ERROR', 'Error', 'fatal'],
  WARNING: ['WARNING', 'Warn'],
  INFO: ['INFO', 'notice', 'Information'],
  UNKNOWN: ['odd'],
};
const spelled = ({ severity: one }: ReportIssue, at: number) => SPELLED[one][at % SPELLED[one].length];
const escaped = (text = '') =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[sign] ?? '',
  );

const asJson = ({ processed, accepted, issues }: Report) =>
  JSON.stringify({
    summary: { messagesProcessed: processed, messagesAccepted: String(accepted) },
    issues: issues.map((one, at) => ({ ...one, severity: spelled(one, at), messageId: one.messageId })),
  });
const element = (name: string, text: string | number | undefined) =>
  text === undefined ? '' : `<${name}> ${text} </${name}>`;
const asXml = ({ processed, accepted, issues }: Report) =>
  [
    '<?xml version="1.0"?><ProcessingReport><ProcessingSummary>',
    element('MessagesProcessed', processed) + element('MessagesSuccessful', accepted),
    '</ProcessingSummary>',
    ...issues.map((one, at) =>
      [
        '<Result>',
        element('MessageID', one.messageId ?? 0),
        element('ResultCode', spelled(one, at)),
        element('ResultMessageCode', one.code),
        element('ResultDescription', at % 2 === 0 ? one.message && escaped(one.message) : undefined),
        at % 2 === 0 || one.message === undefined
          ? ''
          : `<ResultDescription><![CDATA[${one.message}]]></ResultDescription>`,
        `<AdditionalInfo>${element('SKU', one.sku && escaped(one.sku))}</AdditionalInfo>`,
        '</Result>',
      ].join(''),
    ),
    '</ProcessingReport>',
  ].join('\n');
const asTable = ({ processed, accepted, issues }: Report) =>
  [
    'Feed Processing Summary:',
    `\tNumber of records processed\t\t${processed}`,
    `\tNumber of records successful: ${accepted}`,
    '',
    'original-record-number\tsku\terror-code\terror-type\terror-message',
    ...issues.map((one, at) =>
      [one.messageId ?? '', one.sku ?? '', one.code ?? '', spelled(one, at), one.message ?? ''].join('\t'),
    ),
    '',
  ].join('\r\n');

describe.each([
  ['json', asJson],
  ['xml', asXml],
  ['table', asTable],
] as const)('as %s', (form, write) => {
  it('its counts, and each issue with all that it says', () => {
    fc.assert(
      fc.property(reports, fc.constantFrom('', '\uFEFF', '\n  '), (report, before) => {
        expect(readReport(before + write(report))).toEqual({ form, ...report });
      }),
    );
  });
});

it.each([
  ['', 'it is empty'],
  [' \n', 'it is empty'],
  ['{"a":', 'it begins like JSON, and is none'],
  ['{"a":1}', 'it is JSON of another form'],
  ['[1]', 'it is JSON of another form'],
  ['['.repeat(70) + ']'.repeat(70), 'it is nested too deeply'],
  ['<html>', 'it is XML or HTML of another form'],
  ['no table', 'it is neither JSON nor a table that is known'],
])('%j is not understood', (text, why) => {
  expect(readReport(text)).toEqual({ form: 'unknown', why, beginning: text.trimStart() });
});

it('of what is not understood, the first thousand characters are told', () => {
  expect(readReport(`x${'y'.repeat(2_000)}`)).toMatchObject({ beginning: `x${'y'.repeat(999)}` });
});

it.each([
  ['12', 12],
  [': 12 ', 12],
  ['1,200', 1_200],
  ['1.200', 1_200],
  ['1,20', undefined],
  ['', undefined],
  ['-1', undefined],
  ['1234567890', undefined],
])('a count of %j is %j', (words, processed) => {
  const text = `Records processed ${words}\noriginal-record-number\terror-code\n`;
  expect(readReport(text)).toMatchObject({ form: 'table', processed, issues: [] });
});

it('a table without errors has its counts alone; a number that is none names no record', () => {
  expect(readReport('Number of records processed 3\nNumber of records successful 3')).toEqual({
    form: 'table',
    processed: 3,
    accepted: 3,
    issues: [],
  });
  const rows = ['0', 'x', '12', '1234567890'].map((number) => `${number}\t90`).join('\n');
  const found = readReport(`Row-Number\tError-Code\n${rows}`);
  expect(found).toMatchObject({
    issues: [{ code: '90' }, { code: '90' }, { messageId: 12 }, { code: '90' }],
  });
  const named = 'issues' in found ? found.issues.filter(({ messageId }) => messageId !== undefined) : [];
  expect(named).toHaveLength(1);
});

it('names of attributes stand together, each once, and what cannot be read of an issue is left out', () => {
  const issues = [
    { severity: 'error', attributeName: 'a', attributeNames: ['b', 'a'], messageId: '7', code: '', sku: 5 },
    'odd',
    { attributeNames: 'a', messageId: -1 },
  ];
  expect(readReport(JSON.stringify({ issues }))).toEqual({
    form: 'json',
    issues: [
      { severity: 'ERROR', messageId: 7, attributes: ['a', 'b'] },
      { severity: 'UNKNOWN' },
      { severity: 'UNKNOWN' },
    ],
  });
});

describe('held against what was sent', () => {
  const world = fc
    .uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 })
    .chain((ids) =>
      fc.tuple(fc.constant(ids), fc.array(fc.boolean(), { minLength: ids.length, maxLength: ids.length })),
    );

  it('a feed that is done tells of each whether it was accepted; where one more or fewer is counted, of none', () => {
    fc.assert(
      fc.property(world, fc.constantFrom(asJson, asXml), ([ids, accepted], write) => {
        const messages: SentMessage[] = ids.map((messageId) => ({ messageId, sku: `S${messageId}` }));
        const issues = ids.flatMap((messageId, at): ReportIssue[] => [
          { severity: 'WARNING', messageId, code: '1' },
          ...(accepted[at] === true
            ? []
            : [{ severity: 'ERROR' as const, messageId, sku: `S${messageId}`, code: '2' }]),
        ]);
        const acceptedCount = accepted.filter((one) => one).length;
        const endedWith = (report: Report): EndedFeed => ({
          feedId: '1',
          status: 'DONE',
          report: readReport(write(report)),
        });
        const feed = endedWith({ processed: ids.length, accepted: acceptedCount, issues });
        const results = joinReport(messages, feed);
        expect(results.map(({ outcome }) => outcome)).toEqual(
          accepted.map((one) => (one ? 'accepted' : 'not_accepted')),
        );
        // Errors stand before warnings.
        for (const {
          outcome,
          issues: [first],
        } of results)
          expect(first?.code).toBe(outcome === 'accepted' ? '1' : '2');
        const facts = feedFacts(feed, messages, results);
        const counts = countResults(results, facts);
        expect(counts).toEqual({
          accepted: acceptedCount,
          not_accepted: ids.length - acceptedCount,
          unknown: 0,
        });
        expect(outcomeOf(facts, counts)).toBe(
          acceptedCount === ids.length ? 'done' : acceptedCount > 0 ? 'partly_accepted' : 'not_accepted',
        );
        if (acceptedCount === 0) return;
        for (const processed of [ids.length - 1, ids.length + 1]) {
          const doubtful = joinReport(messages, endedWith({ processed, accepted: acceptedCount, issues }));
          expect(doubtful.every(({ outcome }) => outcome !== 'accepted')).toBe(true);
        }
        if (acceptedCount < 2) return;
        const fewer = joinReport(
          messages,
          endedWith({ processed: ids.length, accepted: acceptedCount - 1, issues }),
        );
        expect(fewer.every(({ outcome }) => outcome !== 'accepted')).toBe(true);
      }),
    );
  });
});

it.each([
  [
    { accepted: 1_200, not_accepted: 2, unknown: 1 },
    '1,200 accepted, 2 not accepted, 1 not known whether they were',
  ],
  [{ accepted: 0, not_accepted: 1, unknown: 0 }, '1 not accepted'],
  [{ accepted: 1, not_accepted: 0, unknown: 0 }, '1 accepted'],
  [{ accepted: 0, not_accepted: 0, unknown: 0 }, 'what became of its messages is not known'],
])('%j in words', (counts, words) => {
  expect(formatMessageCounts(counts)).toBe(words);
});

describe('counts that cannot be given to single messages', () => {
  const messages: SentMessage[] = Array.from({ length: 14 }, (_, at) => ({
    messageId: at + 1,
    sku: `S${at}`,
  }));
  const table = (lines: readonly string[]) => lines.join('\r\n');
  it.each([
    [
      'JSON',
      JSON.stringify({
        summary: { messagesProcessed: 14, messagesAccepted: 4 },
        issues: [{ severity: 'ERROR', code: '1' }],
      }),
    ],
    [
      'JSON that counts what is invalid',
      JSON.stringify({ summary: { messagesProcessed: 14, messagesInvalid: 10 }, issues: [] }),
    ],
    ['XML', asXml({ processed: 14, accepted: 4, issues: [] })],
    [
      'XML that counts errors',
      '<ProcessingReport><MessagesProcessed>14</MessagesProcessed><MessagesWithError>10</MessagesWithError></ProcessingReport>',
    ],
    ['a table', asTable({ processed: 14, accepted: 4, issues: [] })],
    [
      'a table that counts errors',
      table(['Number of records processed\t14', 'Number of records with errors\t10']),
    ],
    [
      'a German table',
      table([
        'Zusammenfassung der Feed-Verarbeitung:',
        '\tAnzahl der verarbeiteten Datensätze\t\t14',
        '\tAnzahl der erfolgreichen Datensätze\t\t4',
        '',
        'Datensatznummer\tSKU\tFehlercode\tFehlertyp\tFehlermeldung',
        '\tS1\t90057\tFehler\tfalsch',
      ]),
    ],
    [
      'a Japanese table',
      table([
        'フィード処理の概要:',
        '\t処理されたレコード数\t\t14',
        '\t正常に処理されたレコード数\t\t4',
        '',
        '元のレコード番号\tSKU\tエラーコード\tエラータイプ\tエラーメッセージ',
      ]),
    ],
    [
      'a French table',
      table([
        'Récapitulatif du traitement\u00a0:',
        "\tNombre d'enregistrements traités\t\t14",
        "\tNombre d'enregistrements réussis\t\t4",
      ]),
    ],
  ])('are told of %s, and nothing is told as accepted', (_, text) => {
    const feed: EndedFeed = { feedId: '1', status: 'DONE', report: readReport(text) };
    const results = joinReport(messages, feed);
    const facts = feedFacts(feed, messages, results);
    expect(facts.counted).toEqual({ processed: 14, accepted: 4 });
    const counts = countResults(results, facts);
    expect(counts.accepted).toBe(0);
    expect(outcomeOf(facts, counts)).toBe('partly_accepted');
    expect(formatReportedCounts(facts)).toBe('4 accepted, 10 in error; the report does not say which');
  });

  it('a report that counts what is in error says how many of the others there are, from none to all', () => {
    const summaryOf = (processed: number, invalid: number) => [
      JSON.stringify({ summary: { messagesProcessed: processed, messagesInvalid: invalid } }),
      `<ProcessingReport>${element('MessagesProcessed', processed)}${element('MessagesWithError', invalid)}</ProcessingReport>`,
      table([`Number of records processed\t${processed}`, `Number of records with errors\t${invalid}`]),
    ];
    for (const [invalid, accepted] of [
      [0, 14],
      [14, 0],
      [15, undefined],
    ] as const)
      for (const text of summaryOf(14, invalid))
        expect(readReport(text)).toMatchObject({ processed: 14, accepted });
  });

  it('are never those of a whole feed that was accepted, whatever the form and the counts', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 20 }),
        fc.nat({ max: 20 }),
        fc.constantFrom(asJson, asXml, asTable),
        (processed, accepted, write) => {
          const feed: EndedFeed = {
            feedId: '1',
            status: 'DONE',
            report: readReport(write({ processed, accepted, issues: [] })),
          };
          const results = joinReport(messages, feed);
          const facts = feedFacts(feed, messages, results);
          const outcome = outcomeOf(facts, countResults(results, facts));
          if (outcome === 'done') expect([processed, accepted]).toEqual([14, 14]);
          if (facts.counted !== undefined) expect(facts.counted).toEqual({ processed, accepted });
        },
      ),
    );
  });
});
