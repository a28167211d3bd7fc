import { afterEach, expect, it } from 'vitest';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import type { Answer } from '../helpers/http-service.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const PATH = '/supplySources/2020-07-01/supplySources/s-1';
const readOnly = { supplySourceId: 's-1', supplySourceCode: 'c-1', createdAt: '2024-01-01T00:00:00Z' };
const settings = {
  alias: 'Shop',
  configuration: {
    timezone: 'UTC',
    operationalConfiguration: { handlingTime: { value: 4, timeUnit: 'Hours' } },
  },
  notInTheDocument: { kept: [1, 2] },
};

/** A service that keeps what is written, as the real one does. */
const keeping = (fail: Partial<Record<string, Answer>> = {}, writes = 'allow') => {
  let current: object = settings;
  return startToolRunner(
    ({ method, json }) => {
      const failure = fail[method];
      if (failure !== undefined) return failure;
      if (method === 'GET') return { body: { ...current, ...readOnly } };
      current = Object(json);
      return { status: 204 };
    },
    { SELLER_WRITES: writes },
  );
};

it('by change: reads, sends the whole body without what can only be read, reads back', async () => {
  runner = await keeping();
  const changes = {
    configuration: { operationalConfiguration: { operatingHoursByDay: { sunday: [] } } },
    alias: null,
  };
  const { structured } = await runner.run(updateSupplySource, { supplySourceId: 's-1', changes });
  expect(runner.calls().map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET ${PATH}`,
    `PUT ${PATH}`,
    `GET ${PATH}`,
  ]);
  expect(runner.calls()[1]).toMatchObject({
    headers: { 'content-type': 'application/json', 'x-amz-access-token': 'Atza|token-1' },
  });
  expect(runner.calls()[1]?.json).toEqual({
    configuration: {
      timezone: 'UTC',
      operationalConfiguration: {
        handlingTime: { value: 4, timeUnit: 'Hours' },
        operatingHoursByDay: { sunday: [] },
      },
    },
    notInTheDocument: { kept: [1, 2] },
  });
  expect(structured).toMatchObject({ outcome: 'done', status: 204, read_back: { matches: true } });
});

it('by change: sends back no details, wherever the answer has them', async () => {
  const details = { configuration: {}, capabilities: {} };
  const handlingTime = { value: 4, timeUnit: 'Hours' };
  const state = {
    ...readOnly,
    alias: 'Shop',
    details,
    configuration: { details, operationalConfiguration: { handlingTime, details } },
    capabilities: {
      details,
      outbound: { isSupported: true, details, returnLocation: { supplySourceId: 's-2' } },
    },
  };
  let sent: unknown;
  runner = await startToolRunner(
    ({ method, json }) => {
      if (method === 'PUT') sent = json;
      return method === 'PUT' ? { status: 204 } : { body: { ...state, ...Object(sent) } };
    },
    { SELLER_WRITES: 'allow' },
  );
  const { structured } = await runner.run(updateSupplySource, {
    supplySourceId: 's-1',
    changes: { alias: 'New' },
  });
  expect(sent).toEqual({
    alias: 'New',
    configuration: { operationalConfiguration: { handlingTime } },
    capabilities: { outbound: { isSupported: true, returnLocation: { supplySourceId: 's-2' } } },
  });
  expect(structured).toMatchObject({ outcome: 'done', read_back: { matches: true } });
});

it('by whole body: sends exactly that, and the preview tells what it removes', async () => {
  runner = await keeping();
  const args = { supplySourceId: 's-1', alias: 'New' };
  const preview = await runner.run(updateSupplySource, { ...args, dryRun: true });
  expect(preview.structured).toMatchObject({
    outcome: 'preview',
    request: { method: 'PUT', body: { alias: 'New' } },
  });
  expect(preview.structured.differences).toContainEqual(expect.objectContaining({ kind: 'removed' }));
  expect(runner.calls().map(({ method }) => method)).toEqual(['GET']);
  await runner.run(updateSupplySource, args);
  expect(runner.calls().find(({ method }) => method === 'PUT')?.json).toEqual({ alias: 'New' });
});

it('by whole body: a code is good for the state that was shown, and for no other', async () => {
  let timezone = 'UTC';
  let updatedAt = 1;
  runner = await startToolRunner(
    ({ method }) =>
      method === 'GET'
        ? { body: { ...settings, configuration: { timezone }, ...readOnly, updatedAt } }
        : { status: 204 },
    { SELLER_WRITES: 'code' },
  );
  const args = { supplySourceId: 's-1', configuration: settings.configuration, alias: 'New' };
  const code = async () => (await runner.run(updateSupplySource, args)).structured.confirmation_code;
  const first = await code();
  timezone = 'Europe/Berlin';
  await expect(runner.run(updateSupplySource, { ...args, confirmationCode: first })).rejects.toMatchObject({
    message: expect.stringContaining('has changed since the preview'),
  });
  expect(runner.calls().filter(({ method }) => method === 'PUT')).toEqual([]);
  const second = await code();
  // This member is neither shown nor sent, so it does not count.
  updatedAt = 2;
  const { structured } = await runner.run(updateSupplySource, { ...args, confirmationCode: second });
  // This service never shows what was written.
  expect(structured).toMatchObject({ outcome: 'accepted_not_visible' });
});

it('by whole body: a state that could not be read, and now can, is shown before anything is sent', async () => {
  let fails = true;
  runner = await startToolRunner(
    ({ method }) => {
      if (method !== 'GET') return { status: 204 };
      return fails ? { status: 404, body: [] } : { body: { ...settings, ...readOnly } };
    },
    { SELLER_WRITES: 'code' },
  );
  const args = { supplySourceId: 's-1', alias: 'New' };
  const confirmationCode = (await runner.run(updateSupplySource, args)).structured.confirmation_code;
  fails = false;
  await expect(runner.run(updateSupplySource, { ...args, confirmationCode })).rejects.toThrow(
    'has changed since the preview',
  );
  expect(runner.calls().filter(({ method }) => method === 'PUT')).toEqual([]);
});

it('escapes the id, which is one segment', async () => {
  runner = await keeping();
  await runner.run(updateSupplySource, { supplySourceId: 'a/b c?d', alias: 'New', dryRun: true });
  expect(runner.calls()[0]?.path).toBe('/supplySources/2020-07-01/supplySources/a%2Fb%20c%3Fd');
});

it('a whole body goes out although the state cannot be read; a change does not', async () => {
  runner = await keeping({ GET: { status: 403, body: [{ code: 'Unauthorized', message: 'no role' }] } });
  const whole = await runner.run(updateSupplySource, { supplySourceId: 's-1', alias: 'New' });
  expect(whole.structured).toMatchObject({
    outcome: 'done',
    read_back: { problem: expect.stringContaining('403') },
  });
  await expect(
    runner.run(updateSupplySource, { supplySourceId: 's-1', changes: { alias: 'Other' } }),
  ).rejects.toMatchObject({ name: 'InputError', message: expect.stringContaining('no role') });
  expect(runner.calls().filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

it('tells when the service keeps something else than what was sent', async () => {
  let alias = 'Shop';
  runner = await startToolRunner(
    ({ method }) => {
      if (method === 'GET') return { body: { ...settings, ...readOnly, alias } };
      alias = 'Another';
      return { status: 200, body: {} };
    },
    { SELLER_WRITES: 'allow' },
  );
  const { text, structured } = await runner.run(updateSupplySource, {
    supplySourceId: 's-1',
    changes: { alias: 'Ignored' },
  });
  expect(structured).toMatchObject({
    outcome: 'done',
    read_back: { matches: false, differences: [{ path: 'alias' }] },
  });
  expect(text).toContain('the service differs from what was sent');
});

it('warns of what is probably wrong, and only of what the change brings', async () => {
  runner = await keeping();
  const changes = { configuration: { timezone: 'Mars/Olympus' } };
  const { structured } = await runner.run(updateSupplySource, {
    supplySourceId: 's-1',
    changes,
    dryRun: true,
  });
  expect(structured.warnings).toMatchObject([{ path: 'configuration.timezone' }]);
});

it.each([
  ['nothing to write', {}, 'There is nothing to write.'],
  ['both forms', { alias: 'x', changes: { alias: 'y' } }, '"changes" and alias were both given.'],
  ['a change of the wrong type', { changes: { alias: 5 } }, 'The arguments are not right; nothing was sent.'],
])('refuses %s without a write', async (_case, args, message) => {
  runner = await keeping();
  await expect(runner.run(updateSupplySource, { supplySourceId: 's-1', ...args })).rejects.toMatchObject({
    name: 'InputError',
    message,
  });
  expect(runner.calls().every(({ method }) => method === 'GET')).toBe(true);
});

it('an error array of the write is told with every entry, and nothing was applied', async () => {
  const errors = [{ code: 'InvalidInput', message: 'timezone: unknown' }];
  runner = await keeping({ PUT: { status: 400, body: errors } });
  await expect(runner.run(updateSupplySource, { supplySourceId: 's-1', alias: 'New' })).rejects.toMatchObject(
    {
      name: 'ApiError',
      status: 400,
      message: expect.stringContaining('«InvalidInput: timezone: unknown»'),
      mayHaveBeenApplied: false,
    },
  );
});

it('each call reads the state once before it writes and once after; a call that only previews reads once', async () => {
  runner = await keeping({}, 'code');
  const methods = () => runner.calls().map(({ method }) => method);
  const args = { supplySourceId: 's-1', alias: 'New' };
  const { structured } = await runner.run(updateSupplySource, args);
  expect(methods()).toEqual(['GET']);
  // The yes is bound to the state that was shown, so it is read again before it is replaced.
  await runner.run(updateSupplySource, { ...args, confirmationCode: structured.confirmation_code });
  expect(methods().slice(1)).toEqual(['GET', 'PUT', 'GET']);
});

const EXACT =
  '{"alias":"Shop","notInTheDocument":{"sites":[1,{"id":9007199254740993}],"rate":0.1234567890123456789}}';

it.each([
  [
    'a change of another member',
    EXACT,
    { changes: { alias: 'New' } },
    'notInTheDocument.sites[1].id, notInTheDocument.rate.',
  ],
  [
    'a whole body that repeats the text',
    '{"alias":9007199254740993}',
    { alias: '9007199254740993' },
    'alias.',
  ],
])(
  '%s is refused by name where a number could only be sent back as a text',
  async (_case, body, args, names) => {
    runner = await startToolRunner(() => ({ body }), { SELLER_WRITES: 'allow' });
    const refused = runner.run(updateSupplySource, { supplySourceId: 's-1', ...args });
    await expect(refused).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringContaining(`sent back unchanged: ${names}`),
    });
    expect(runner.calls().map(({ method }) => method)).toEqual(['GET']);
  },
);

it('a number of many digits is no obstacle where it is replaced or was a text', async () => {
  runner = await startToolRunner(
    ({ method }) =>
      method === 'GET'
        ? { body: EXACT.replace('"alias"', '"code":"9007199254740993","alias"') }
        : { status: 204 },
    { SELLER_WRITES: 'allow' },
  );
  const changes = { notInTheDocument: null };
  await runner.run(updateSupplySource, { supplySourceId: 's-1', changes });
  expect(runner.calls()[1]?.json).toEqual({ code: '9007199254740993', alias: 'Shop' });
});
