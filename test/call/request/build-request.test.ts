import { describe, expect, it } from 'vitest';
import { ConfigError, InputError } from '../../../src/base/errors.ts';
import { buildRequest } from '../../../src/call/request/build-request.ts';
import type { Operation, Parameter } from '../../../src/service/facts/operation.ts';
import { failureOf, operation } from '../../helpers/test-client.ts';

const account = { baseUrl: 'https://service.example/base/', sellerId: 'S1', marketplaceId: 'M1' };
const text = { type: 'string' } as const;
const query = (name: string, fields: Partial<Parameter> = {}): Parameter => ({
  name,
  in: 'query',
  required: false,
  schema: text,
  ...fields,
});
const build = (fields: Partial<Operation>, parameters: Record<string, unknown> = {}, body?: unknown) =>
  buildRequest(operation(fields), account, body === undefined ? { parameters } : { parameters, body });
const problemsOf = async (work: Promise<unknown>) => {
  const error = await failureOf(work);
  return error instanceof InputError ? error.problems : error;
};

describe('the address', () => {
  it('is base, path and query, nothing more', async () => {
    const { url, headers, body } = await build(
      { parameters: [query('a'), query('b')] },
      { b: 'x y&z', a: 'é' },
    );
    expect(url).toBe('https://service.example/base/things/v1/things?a=%C3%A9&b=x%20y%26z');
    expect({ headers, body }).toEqual({ headers: {}, body: undefined });
  });

  it.each([
    ['csv', 'a=1%2C2'],
    ['ssv', 'a=1%202'],
    ['tsv', 'a=1%092'],
    ['pipes', 'a=1%7C2'],
    ['multi', 'a=1&a=2'],
    [undefined, 'a=1%2C2'],
  ] as const)('joins a list as %s says', async (collectionFormat, expected) => {
    const list = query('a', {
      schema: { type: 'array', items: { type: 'integer' } },
      ...(collectionFormat && { collectionFormat }),
    });
    expect((await build({ parameters: [list] }, { a: [1, 2] })).url).toContain(`?${expected}`);
  });

  it('refuses a list element that would be read as two, and an empty required list', async () => {
    const list = query('skus', { required: true, schema: { type: 'array', items: text } });
    expect(await problemsOf(build({ parameters: [list] }, { skus: ['a', 'b,c'] }))).toEqual([
      { path: 'skus.1', message: expect.stringContaining('"b,c" holds ","') },
    ]);
    expect(await problemsOf(build({ parameters: [list] }, { skus: [] }))).toEqual([
      { path: 'skus', message: 'must not be empty' },
    ]);
  });

  it.each([
    ['csv', 'b,c', 'b%2Cc'],
    ['ssv', 'b c', 'b%20c'],
    ['tsv', 'b\tc', 'b%09c'],
    ['pipes', 'b|c', 'b%7Cc'],
    [undefined, 'b,c', 'b%2Cc'],
  ] as const)(
    'sends the separator of %s inside the only value of a list',
    async (collectionFormat, value, sent) => {
      const list = query('skus', {
        schema: { type: 'array', items: text },
        ...(collectionFormat && { collectionFormat }),
      });
      expect((await build({ parameters: [list] }, { skus: [value] })).url).toContain(`?skus=${sent}`);
      expect(await problemsOf(build({ parameters: [list] }, { skus: [value, 'a'] }))).toMatchObject([
        { path: 'skus.0' },
      ]);
    },
  );

  it.each(['http://service.example', 'ftp://x', 'nonsense', 'https://user:pw@service.example'])(
    'is never %s',
    async (baseUrl) => {
      const error = await failureOf(buildRequest(operation(), { baseUrl }, { parameters: {} }));
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).not.toContain('pw');
    },
  );
});

describe('what the account fills in', () => {
  it('are required parameters that were left out, as the service spells them', async () => {
    const parameters: Parameter[] = [
      { ...query('sellerId'), in: 'path', required: true },
      query('MarketplaceIds', { required: true, schema: { type: 'array', items: text } }),
      query('MarketplaceId', { required: true }),
      query('marketplaceIds', { schema: { type: 'array', items: text } }),
    ];
    const built = await build({ path: '/l/{sellerId}', parameters }, { MarketplaceId: 'M2' });
    expect(built.url).toBe('https://service.example/base/l/S1?MarketplaceIds=M1&MarketplaceId=M2');
    expect(built.filledIn).toEqual({ sellerId: 'S1', MarketplaceIds: 'M1' });
  });
});

describe('a plain day', () => {
  const [JP, US, DE] = ['A1VC38T7YXB528', 'ATVPDKIKX0DER', 'A1PA6795UKMFR9'];
  const orders: Partial<Operation> = {
    id: 'orders/searchOrders',
    parameters: [
      query('createdAfter'),
      query('marketplaceIds', { schema: { type: 'array', items: text }, collectionFormat: 'multi' }),
    ],
  };

  it.each([
    ['Japan for a call about Japan', DE, [JP], '2026-09-30T15:00:00Z'],
    [
      "the account's own marketplace, wherever that stands among several",
      DE,
      [US, DE],
      '2026-09-30T22:00:00Z',
    ],
    ['the first of several others', DE, [US, JP], '2026-10-01T07:00:00Z'],
    ['the marketplace that is named, where the account has none', undefined, [JP], '2026-09-30T15:00:00Z'],
    ['nobody where none is named', DE, [], '2026-10-01'],
  ])('is that of %s', async (_whose, marketplaceId, marketplaceIds, sent) => {
    const given = { createdAfter: '2026-10-01', ...(marketplaceIds.length > 0 && { marketplaceIds }) };
    const { parameters } = await buildRequest(
      operation(orders),
      { ...account, marketplaceId },
      { parameters: given },
    );
    expect(parameters.createdAfter).toBe(sent);
  });
});

describe('a value that an enum does not list', () => {
  const sortBy = query('sortBy', { schema: { type: 'string', enum: ['MENTIONS'] } });
  const given = { sortBy: 'STAR_RATING_IMPACT' };

  it('is sent by a read of a built-in operation, and told with what is listed', async () => {
    const built = await build({ effect: 'read', source: 'definitions', parameters: [sortBy] }, given);
    expect(built.url).toContain('sortBy=STAR_RATING_IMPACT');
    expect(built.unlistedValues).toEqual([{ path: 'sortBy', listed: ['MENTIONS'] }]);
  });

  it.each([
    { effect: 'write', source: 'document' },
    { effect: 'delete', source: 'document' },
    { effect: 'request', source: 'document' },
    { effect: 'read', source: 'user' },
  ] as const)('is refused by %j', async (kind) => {
    expect(await problemsOf(build({ ...kind, parameters: [sortBy] }, given))).toMatchObject([
      { path: 'sortBy' },
    ]);
  });

  it('is refused beside what is wrong otherwise', async () => {
    const parameters = [sortBy, query('limit', { schema: { type: 'integer' } })];
    expect(
      await problemsOf(build({ effect: 'read', source: 'document', parameters }, { ...given, limit: 'ten' })),
    ).toMatchObject([{ path: 'limit' }]);
  });
});

describe('wrong arguments', () => {
  const parameters = [
    query('pageSize', { schema: { type: 'integer', minimum: 1, maximum: 20 } }),
    query('includedData', {
      schema: { type: 'array', items: { type: 'string', enum: ['issues', 'offers'] } },
    }),
    query('MarketplaceId', { required: true }),
  ];
  const refused = (given: Record<string, unknown>) =>
    problemsOf(build({ parameters }, { MarketplaceId: 'M', ...given }));

  it.each([
    [
      { marketplaceid: 'x' },
      'marketplaceid',
      'is not known here. Did you mean MarketplaceId? Valid: pageSize, includedData, MarketplaceId.',
    ],
    [{ zzz: 1 }, 'zzz', 'is not known here. Valid: pageSize, includedData, MarketplaceId.'],
    [{ pageSize: '10' }, 'pageSize', 'must be a whole number, not text'],
    [{ pageSize: 21 }, 'pageSize', 'must be at most 20'],
    [{ includedData: ['isues'] }, 'includedData.0', 'must be one of issues, offers; did you mean issues?'],
    [{ includedData: 'issues' }, 'includedData', 'must be a list, not text'],
    [{ MarketplaceId: null }, 'MarketplaceId', 'must be text, not null'],
  ])('%j is told by its path', async (given, path, message) => {
    expect(await refused(given)).toEqual([{ path, message }]);
  });

  it('are all told at once', async () => {
    const work = buildRequest(
      operation({ parameters }),
      { baseUrl: account.baseUrl },
      { parameters: { pageSize: 0, x: 1 } },
    );
    const error = await failureOf(work);
    expect(error).toMatchObject({
      problems: [{ path: 'x' }, { path: 'pageSize' }, { path: 'MarketplaceId', message: 'is required' }],
    });
    expect(error).toHaveProperty('message', expect.stringContaining('getThing was not sent: x is not known'));
  });

  it('may not be inherited names', async () => {
    expect(await refused({ toString: 'x' })).toMatchObject([{ path: 'toString' }]);
    expect(await problemsOf(build({ parameters: [query('constructor', { required: true })] }))).toEqual([
      { path: 'constructor', message: 'is required' },
    ]);
  });
});

describe('headers', () => {
  const header: Parameter = {
    name: 'X-Amzn-Shipping-Business-Id',
    in: 'header',
    required: true,
    schema: text,
  };

  it('go out lower-case, and are required where the operation says so', async () => {
    expect((await build({ parameters: [header] }, { [header.name]: 'UK' })).headers).toEqual({
      'x-amzn-shipping-business-id': 'UK',
    });
    expect(await problemsOf(build({ parameters: [header] }))).toEqual([
      { path: header.name, message: 'is required' },
    ]);
  });

  it('carry no line break, and never one of the connection', async () => {
    expect(await problemsOf(build({ parameters: [header] }, { [header.name]: 'a\r\nb: c' }))).toMatchObject([
      { path: header.name },
    ]);
  });

  it.each([
    'Host',
    'Connection',
    'Content-Length',
    'Transfer-Encoding',
    'TE',
    'Trailer',
    'Expect',
    'Via',
    'Cookie',
    'Authorization',
    'Proxy-Authorization',
    'Proxy-Connection',
    'x-amz-access-token',
    'X-HTTP-Method-Override',
    'X-Method-Override',
    'X-HTTP-Method',
    'X-Original-URL',
    'X-Rewrite-URL',
    'Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Real-IP',
    'Content-Type',
    'User-Agent',
    'X-New',
  ])('are never %s, whatever describes the operation', async (name) => {
    const declared = { ...header, name };
    expect(await problemsOf(build({ parameters: [declared] }, { [name]: 'DELETE' }))).toEqual([
      { path: name, message: 'cannot be set by a call' },
    ]);
  });
});

describe('the body', () => {
  const address = {
    type: 'object',
    properties: { city: text },
    required: ['city'],
    additionalProperties: false,
  } as const;
  const schema = {
    type: 'object',
    properties: { to: { $ref: '#/$defs/Address' } },
    required: ['to'],
    additionalProperties: false,
  } as const;
  const write: Partial<Operation> = {
    method: 'PUT',
    effect: 'write',
    body: { required: true, schema },
    defs: { Address: address },
  };

  it('is checked through the named schemas', async () => {
    expect((await build(write, {}, { to: { city: 'X' } })).body).toEqual({ to: { city: 'X' } });
    expect(await problemsOf(build(write, {}, { to: { cty: 'X' }, more: 1 }))).toEqual(
      expect.arrayContaining([
        { path: 'body.to.city', message: 'is required' },
        { path: 'body.to.cty', message: 'is not known here. Did you mean city? Valid: city.' },
        { path: 'body.more', message: 'is not known here. Valid: to.' },
      ]),
    );
  });

  it('is required where the operation says so, and refused where it takes none', async () => {
    expect(await problemsOf(build(write))).toEqual([{ path: 'body', message: 'is required' }]);
    expect(await problemsOf(build({}, {}, {}))).toEqual([
      { path: 'body', message: 'is not taken by this operation' },
    ]);
  });

  it('may lack the idempotency key, which is added later', async () => {
    const keyed = {
      type: 'object',
      properties: { token: text },
      required: ['token'],
      additionalProperties: false,
    } as const;
    const fields: Partial<Operation> = {
      ...write,
      body: { required: true, schema: keyed },
      idempotencyKey: { in: 'body', name: 'token' },
    };
    expect((await build(fields, {}, {})).body).toEqual({});
    expect(await problemsOf(build(fields, {}, { token: 7 }))).toEqual([
      { path: 'body.token', message: 'must be text, not a number' },
    ]);
  });
});

describe('a value in the path', () => {
  const thing = {
    path: '/things/{thingId}/parts',
    parameters: [{ ...query('thingId'), in: 'path' as const }],
  };

  it('is one segment of it', async () => {
    const { url } = await build(thing, { thingId: 'a/b c' });
    expect(url).toBe('https://service.example/base/things/a%2Fb%20c/parts');
  });

  it.each([
    ['..', 'must not be a dot segment ("." or ".."), in whatever encoding'],
    ['', 'must not be empty'],
    [undefined, 'is required'],
  ])('is refused by its name: %j', async (thingId, message) => {
    expect(await problemsOf(build(thing, { thingId }))).toEqual([{ path: 'thingId', message }]);
  });

  it('keeps its slashes where the service wants a path there, and only there', async () => {
    const upload = {
      path: '/up/{resource}',
      parameters: [{ ...query('resource'), in: 'path' as const }],
    };
    const id = 'uploads/createUploadDestinationForResource';
    const urlOf = async (fields: Partial<Operation>, parameters: Record<string, unknown>) =>
      (await build({ ...upload, ...fields }, parameters)).url.slice('https://service.example/base'.length);
    expect(await urlOf({ id }, { resource: 'a/b' })).toBe('/up/a/b');
    expect(await urlOf({ id: 'uploads/another' }, { resource: 'a/b' })).toBe('/up/a%2Fb');
    expect(await urlOf({ id, ...thing }, { thingId: 'a/b' })).toBe('/things/a%2Fb/parts');
  });

  it('is not looked at where the template itself leads elsewhere', async () => {
    for (const path of ['/things?a=1', '/things#a']) {
      expect(await problemsOf(build({ path }))).toEqual([
        { path: '', message: 'its address would lead to another path' },
      ]);
    }
  });
});

describe('what is kept of a call', () => {
  it('is what the caller gave and what was filled in, apart, both as they are sent', async () => {
    const parameters: Parameter[] = [
      { ...query('sellerId'), in: 'path', required: true },
      query('marketplaceIds', { required: true, schema: { type: 'array', items: text } }),
      query('marketplaceId'),
      query('sku'),
    ];
    const fields = { path: '/l/{sellerId}', parameters };
    const named = { ...account, marketplaceId: 'DE', baseUrl: 'https://sellingpartnerapi-eu.amazon.com/x/' };
    const given = { parameters: { marketplaceId: 'France', sku: 'S', also: undefined } };
    const built = await buildRequest(operation(fields), named, given);
    expect(built).toEqual({
      url: 'https://sellingpartnerapi-eu.amazon.com/x/l/S1?marketplaceIds=A1PA6795UKMFR9&marketplaceId=A13V1IB3VIYZZH&sku=S',
      origin: 'https://sellingpartnerapi-eu.amazon.com',
      headers: {},
      body: undefined,
      parameters: { marketplaceId: 'A13V1IB3VIYZZH', sku: 'S' },
      filledIn: { sellerId: 'S1', marketplaceIds: 'A1PA6795UKMFR9' },
      marketplaces: [
        { segments: ['marketplaceIds', 0], given: 'DE', id: 'A1PA6795UKMFR9' },
        { segments: ['marketplaceId'], given: 'France', id: 'A13V1IB3VIYZZH' },
      ],
    });
  });

  it('says of a body what it is', async () => {
    const built = await build({ body: { required: true, schema: {} } }, {}, { a: 1 });
    expect(built.headers).toEqual({ 'content-type': 'application/json' });
  });
});

describe('a refusal', () => {
  const lists = ['a', 'b'].map((name) => query(name, { schema: { type: 'array', items: text } }));

  it('names all that is wrong at once, and what to do', async () => {
    const error = await failureOf(build({ parameters: lists }, { a: ['x,y', 'z'], b: ['x', 'y,z'] }));
    expect(error).toMatchObject({
      message: expect.stringMatching(/^getThing was not sent: a\.0 "x,y" .*; b\.1 "y,z" /),
      hint: 'Correct the arguments that are named and call again.',
      problems: [{ path: 'a.0' }, { path: 'b.1' }],
    });
  });

  it('tells a marketplace that is none beside what else is wrong', async () => {
    const parameters = [query('marketplaceId'), query('n', { schema: { type: 'integer' } })];
    expect(await problemsOf(build({ parameters }, { marketplaceId: 'Germny', n: 'x' }))).toEqual([
      { path: 'marketplaceId', message: expect.stringContaining('Did you mean Germany (DE)?') },
      { path: 'n', message: 'must be a whole number, not text' },
    ]);
  });
});

describe('the text of a header', () => {
  const locale: Parameter = { ...query('Locale'), in: 'header' };
  const sent = (value: string) => build({ parameters: [locale] }, { Locale: value });

  it.each(['', 'de', 'a\tb', ' ~', 'é', '\x80\xff'])('may be %j', async (value) => {
    expect((await sent(value)).headers).toEqual({ locale: value });
  });

  it.each(['a\n', '\na', '\x7f', '\u0100', '\x00'])('may not be %j', async (value) => {
    expect(await problemsOf(sent(value))).toEqual([
      { path: 'Locale', message: 'must not hold line breaks or characters that a header cannot carry' },
    ]);
  });
});
