/** Why a report could not be had is told with what people do about it, and what the service says of it as its own words. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { ApiError, InputError } from '../../../src/base/errors.ts';
import { ServiceText } from '../../../src/base/text/service-text.ts';
import {
  cancelled,
  explainType,
  fatal,
  ReportError,
  readReason,
  tooSlow,
} from '../../../src/data/collections/report-failure.ts';
import type { ReportRequest } from '../../../src/data/collections/report-request.ts';
import { reportType } from '../../../src/service/facts/report-types.ts';

const ORDERS = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';

const request = (more: Partial<ReportRequest> = {}): ReportRequest => ({
  type: ORDERS,
  facts: reportType(ORDERS),
  marketplaces: [],
  notes: [],
  ...more,
});

it('a type that the service does not take gets the names near it, and nothing else does', () => {
  const refused = () => new ApiError({ status: 400 }, 'No.', 'First.');
  const explained = explainType(refused(), 'GET_MERCHANT_LISTING_ALL_DATA');
  expect(explained).toMatchObject({
    message: 'No.',
    hint: expect.stringMatching(
      /Report types near GET_MERCHANT_LISTING_ALL_DATA: .*GET_MERCHANT_LISTINGS_ALL_DATA/,
    ),
  });
  const asIs = (error: Error, type: string) =>
    expect(explainType(error, type)).toMatchObject({ hint: 'First.' });
  asIs(refused(), ORDERS);
  asIs(refused(), 'QQQQQQQQ');
  asIs(new ApiError({ status: 403 }, 'No.', 'First.'), 'GET_MERCHANT_LISTING_ALL_DATA');
  asIs(new InputError('No.', 'First.'), 'GET_MERCHANT_LISTING_ALL_DATA');
});

it.each([
  [
    'a known pause',
    { minutesApart: 30 },
    'too soon (a new one is made at most every 30 min): wait, or use the one before.',
  ],
  ['no known pause', {}, 'too soon: wait half an hour, or use the one before.'],
])('one that was cancelled, of a type with %s', (_what, pause, words) => {
  const facts = { id: ORDERS, period: 'range' as const, origin: 'request' as const, ...pause };
  const known = reportType(ORDERS);
  const asked = request({
    facts: known && { ...known, minutesApart: undefined, ...facts },
    start: '2026-11-01',
  });
  const error = cancelled(asked, 'R 1');
  expect(error).toBeInstanceOf(ReportError);
  expect(error.message).toBe(`The service cancelled report «R 1» (${ORDERS}).`);
  expect(error.hint).toBe(
    `That means that it has no data for this time and these marketplaces (try a longer time, or check the marketplaces), or that it was asked for again ${words}`,
  );
  expect(cancelled({ ...asked, start: undefined }, 'R').hint).toContain(
    'no data for these marketplaces (try',
  );
});

it('one that could not be made is told with what the service says, and with what is known of its type', () => {
  const known = reportType(ORDERS);
  const facts = known && { ...known, limits: 'a day' };
  const plain = fatal(request({ facts: known && { ...known, limits: undefined } }), undefined);
  expect(plain.message).toBe(`The service could not make the report ${ORDERS} (FATAL).`);
  expect(plain.hint).toBe(
    'Check start, end, marketplaces and options; a shorter time often helps. The same request may work in half an hour.',
  );
  const message = fatal(request({ facts }), new ServiceText('Too long.'));
  expect(message.message).toBe(
    `The service could not make the report ${ORDERS} (FATAL). It says: «Too long.»`,
  );
  expect(message.hint).toBe(
    'Put right what it says, in start, end, marketplaces or options. Of this type is known: a day.',
  );
});

it('one that takes too long says how long it was waited for', () => {
  expect(tooSlow(14_400_000).message).toBe('The report was not made within 240 min.');
});

it.each([
  ['It was\ttoo\nlong.', 'It was\ttoo\nlong.'],
  ['x'.repeat(1_500), 'x'.repeat(1_000)],
  ['', undefined],
])('the words of the service are read out of its document: %j', async (content, words) => {
  const file = join(inject('scratch'), `reason-${content.length}`);
  await writeFile(file, content);
  expect((await readReason(file, undefined))?.quoted(2_000)).toBe(
    words === undefined ? undefined : new ServiceText(words).quoted(2_000),
  );
});
