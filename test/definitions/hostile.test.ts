/** Files that are broken, or made to hurt: each is refused whole, with the place, quickly, and nothing outside is opened. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_DEPTH } from '../../src/base/json.ts';
import { MAX_FILE_BYTES } from '../../src/definitions/limits.ts';
import { compileAll } from '../../src/definitions/store/compile.ts';
import { buildUserOperations } from '../../src/definitions/store/user-operations.ts';
import { expectOnlyIn } from '../helpers/only-in.ts';
import { compile, get, makeFolder, NOW, openapi, refusal, swagger } from './helpers.ts';

const path = (parameters: unknown[]) => swagger({ '/a': get({ parameters }) });

describe('syntax', () => {
  test.each([
    ['JSON', 'a.json', '{\n  "swagger": "2.0",\n  "info": }', /a\.json: 3:11: is not JSON/],
    ['JSON that ends early', 'a.json', '{"swagger": "2.0"', /a\.json: 1:18: is not JSON/],
    ['an empty file', 'a.json', '', /a\.json: 1:1: is not JSON/],
    ['YAML', 'a.yaml', 'swagger: "2.0"\ninfo: [1, 2', /a\.yaml: \d+:\d+: is not YAML/],
    [
      'YAML with a key twice',
      'a.yml',
      'swagger: "2.0"\ninfo: 1\ninfo: 2',
      /a\.yml: 3:1: is not YAML: Map keys must be unique/,
    ],
    ['two YAML documents', 'a.yaml', 'swagger: "2.0"\n---\nswagger: "2.0"', /is not YAML/],
  ])('%s', async (_, name, text, message) => {
    expect(await refusal(text, name)).toMatch(message);
  });

  test('text that is not UTF-8, with the place of the first broken byte', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"swagger":\n "2.0", "x": "'),
      Buffer.from([0xe9, 0x22, 0x7d]),
    ]);
    expect(await refusal(bytes)).toMatch(/: 2:15: is not UTF-8 text/);
    expect(await refusal(Buffer.from('{"swagger": "2.0"}', 'utf16le'))).toMatch(/is not (UTF-8 text|JSON)/);
  });

  test('a byte order mark is no fault', async () => {
    const text = `\ufeff${JSON.stringify(swagger({ '/a': get() }))}`;
    expect((await compile(text)).operations).toHaveLength(1);
  });
});

describe('size and shape', () => {
  test('more than 10 MB', async () => {
    expect(await refusal(`{"swagger":"2.0","x":"${'x'.repeat(MAX_FILE_BYTES)}"}`)).toMatch(
      /larger than 10 MB/,
    );
  });

  test('just under 10 MB is read', async () => {
    const content = swagger({ '/a': get() }, { 'x-filler': 'x'.repeat(MAX_FILE_BYTES - 1000) });
    expect((await compile(content)).operations).toHaveLength(1);
  });

  test('100,000 paths', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`/p${i}`, { get: { operationId: `o${i}` } }]),
    );
    expect(await refusal(swagger(paths))).toMatch(/#\/paths: holds more than 5000 operations/);
  });

  test.each([
    ['JSON', 'a.json', '{"swagger":"2.0","x":'],
    ['YAML', 'a.yaml', '{"swagger": "2.0", "x": '],
  ])('%s nested 200,000 deep, closed and not closed', async (_, name, head) => {
    expect(await refusal(`${head}${'['.repeat(200_000)}${']'.repeat(200_000)}}`, name)).toMatch(/nested/);
    expect(await refusal(`${head}${'['.repeat(200_000)}`, name)).toMatch(/nested|is not (JSON|YAML)/);
  });

  test.each(['a.json', 'a.yaml'])(
    '%s nested as deep as JSON may anywhere is read, one level more is not',
    async (name) => {
      const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
      const file = (levels: number) => JSON.stringify(swagger({ '/a': get() }, { 'x-deep': nested(levels) }));
      expect((await compile(file(MAX_DEPTH - 1), name)).operations).toHaveLength(1);
      expect(await refusal(file(MAX_DEPTH), name)).toMatch(/nested/);
    },
  );

  test.each([
    ['dashes on one line', `x:\n${'- '.repeat(100_000)}1`],
    ['maps of one column', Array.from({ length: 1_200 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['questions', `${'? '.repeat(100_000)}1`],
  ])('YAML nested by %s', async (_, text) => {
    expect(await refusal(text, 'a.yaml')).toMatch(/nested too deep/);
  });

  test('brackets inside texts are no nesting', async () => {
    const text = `openapi: 3.1.0\ninfo: { title: "${'['.repeat(5_000)}", version: 1 }\npaths: { /a: { get: { summary: |-\n   x } } }\n`;
    const deep = `${'- '.repeat(100_000)}1`;
    expectOnlyIn('nested', await refusal(deep, 'a.yaml'), await refusal(text, 'a.yaml'));
    const many = `openapi: 3.1.0\ninfo: { title: a, version: 1 }\nx-t: "${'['.repeat(5_000)}"\npaths: { /a: { get: {} } }\n`;
    expect((await compile(many, 'a.yaml')).operations).toHaveLength(1);
  });

  test('a chain of 3,000 references, and one that turns in a circle', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, i) => [
        `S${i}`,
        { type: 'object', properties: { next: { $ref: `#/definitions/S${i + 1}` } } },
      ]),
    );
    const body = (name: string) => [{ name: 'body', in: 'body', schema: { $ref: `#/definitions/${name}` } }];
    const file = (name: string, definitions: unknown) =>
      swagger({ '/a': { post: { operationId: 'post', parameters: body(name) } } }, { definitions });
    expect(await refusal(file('S0', { ...chain, S3000: {} }))).toMatch(/more than 400 references/);
    expect(
      await refusal(file('A', { A: { $ref: '#/definitions/B' }, B: { $ref: '#/definitions/A' } })),
    ).toMatch(/only leads back to itself/);
    const cyclic = await compile(
      file('A', { A: { type: 'object', properties: { a: { $ref: '#/definitions/A' } } } }),
    );
    expect(cyclic.defs).toEqual({ A: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } } });
    const endless = await compile(
      file('A', { A: { allOf: [{ $ref: '#/definitions/A' }, { type: 'object' }] } }),
    );
    expect(endless.operations).toHaveLength(1);
  });

  test('references and parts that double at every level', async () => {
    const level = (i: number, make: (ref: unknown) => unknown) => [
      `S${i}`,
      make({ $ref: `#/definitions/S${i + 1}` }),
    ];
    const file = (make: (ref: unknown) => unknown) =>
      swagger(
        {
          '/a': {
            post: {
              operationId: 'post',
              parameters: [{ name: 'b', in: 'body', schema: { $ref: '#/definitions/S0' } }],
            },
          },
        },
        {
          definitions: {
            ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => level(i, make))),
            S60: { type: 'object' },
          },
        },
      );
    for (const make of [
      (ref: unknown) => ({ type: 'object', properties: { a: ref, b: ref } }),
      (ref: unknown) => ({ allOf: [ref, ref] }),
      (ref: unknown) => ({ oneOf: [ref, ref] }),
    ]) {
      expect((await compile(file(make))).operations).toHaveLength(1);
    }
  });

  test('YAML aliases that double at every level', async () => {
    const levels = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`);
    const bomb = ['swagger: "2.0"', 'a0: &a0 [x, x]', ...levels].join('\n');
    expect(await refusal(bomb, 'a.yaml')).toMatch(/alias|more than 2000000 values/i);
  });
});

describe('names', () => {
  test('__proto__ is never taken in, at any place', async () => {
    const text = JSON.stringify(swagger({ '/a': get() }, { definitions: { X: 1 } }));
    expect(await refusal(text.replace('"X"', '"__proto__"'))).toMatch(
      /#\/definitions: holds a member called __proto__/,
    );
    expect(await refusal('swagger: "2.0"\ninfo: {__proto__: {title: x}}', 'a.yaml')).toMatch(
      /#\/info: .*__proto__/,
    );
    expect({}).not.toHaveProperty('title');
  });

  test('constructor, toString and the like are names like any other', async () => {
    const schema = {
      type: 'object',
      properties: { constructor: { type: 'string' }, toString: { $ref: '#/definitions/constructor' } },
    };
    const definitions = { constructor: { type: 'object', properties: { valueOf: { type: 'string' } } } };
    const file = await compile(
      swagger(
        { '/a': { post: { operationId: 'constructor', parameters: [{ name: 'b', in: 'body', schema }] } } },
        { definitions },
      ),
    );
    expect(file.operations[0]?.body?.schema.properties?.toString).toEqual({ $ref: '#/$defs/constructor' });
    expect(buildUserOperations([file])[0]).toMatchObject({ id: 'parcels/constructor', defs: definitions });
  });

  test.each([
    '#/definitions/__proto__',
    '#/definitions/constructor',
    '#/definitions/toString',
    '#/__proto__/x',
    '#nowhere',
    '#/',
  ])('a reference to %s leads to nothing', async (reference) => {
    const file = path([{ name: 'q', in: 'query', type: 'array', items: { $ref: reference } }]);
    expect(await refusal({ ...file, definitions: {} })).toMatch(/refers to nothing|is not a schema/);
  });

  test('hidden characters in names are refused and shown escaped', async () => {
    const message = await refusal(swagger({ '/a': get() }, { definitions: { 'a\u202eb': {} } }));
    expect(message).toMatch(/#\/definitions: .*a\\u202eb/);
    expect(message).not.toContain('\u202e');
    expect(await refusal({ ...swagger({ '/a': get() }), info: { title: 'a\u0007', version: '1' } })).toMatch(
      /#\/info\/title/,
    );
  });
});

describe('nothing outside the file', () => {
  test('remote and file references are refused, and nobody is asked for them', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port }: Partial<AddressInfo> = Object(server.address());
    const documentsWith = (reference: string) => [
      path([{ $ref: reference }]),
      path([{ name: 'q', in: 'query', schema: { $ref: reference } }]),
      swagger({ '/a': { $ref: reference } }),
      swagger({ '/a': get({ responses: { 200: { schema: { $ref: reference } } } }) }),
      swagger({ '/a': get() }, { definitions: { default: { properties: { x: { $ref: reference } } } } }),
      openapi({ '/a': get({ requestBody: { $ref: reference } }) }),
    ];
    for (const reference of [
      `http://127.0.0.1:${port}/x.json`,
      '../../etc/passwd',
      'file:///etc/passwd',
      'other.yaml#/X',
      '//host/x',
    ]) {
      for (const file of documentsWith(reference)) {
        expect(await refusal(file)).toMatch(/\/\$ref: refers outside the file .*only local references/);
      }
    }
    server.close();
    expect(asked).toBe(0);
  });

  test.each([
    ['an absolute address', 'https://evil.example/a', 'does not start with a slash'],
    ['another host', '//evil.example/a', 'empty segment'],
    ['dot segments', '/a/../../b', 'dot segment'],
    ['dot segments in disguise', '/a/%2e%2e/b', 'dot segment'],
    ['a slash in disguise', '/a%2f..%2fb', 'dot segment'],
    ['a backslash', '/a\\b', 'characters that a path cannot have'],
    ['a query', '/a?b=c', 'characters that a path cannot have'],
    ['a fragment', '/a#b', 'characters that a path cannot have'],
    ['a line break', '/a\nb', 'control characters'],
    ['an open placeholder', '/a/{b', 'not closed'],
    ['a placeholder over two segments', '/a/{b/c}', 'not closed'],
    ['a placeholder that nothing describes', '/a/{b}', 'no parameter describes it'],
  ])('a path with %s', async (_, key, reason) => {
    expect(await refusal(swagger({ [key]: get() }))).toContain(reason);
  });

  test.each(['/..', 'x', '//evil.example', '/a/..'])('a base path %s', async (basePath) => {
    expect(await refusal(swagger({ '/a': get() }, { basePath }))).toMatch(/basePath|segment/);
  });

  test('of an OpenAPI server only the path counts, and its host is never called', async () => {
    const servers = [
      {
        url: 'https://{stage}.evil.example:99/base/{v}/',
        variables: { stage: { default: 'x' }, v: { default: '2' } },
      },
    ];
    expect((await compile(openapi({ '/a': get() }, { servers }))).operations[0]?.path).toBe('/base/2/a');
    expect(await refusal(openapi({ '/a': get() }, { servers: [{ url: 'https://x/../..' }] }))).toContain(
      'dot segment',
    );
  });
});

describe('definitions that contradict themselves', () => {
  const both = (first: string, second: string) =>
    swagger({ '/a': { get: { operationId: first } }, '/b': { get: { operationId: second } } });

  test('an operationId twice with one method is refused with both places; with two methods it is not', async () => {
    expect(await refusal(both('x', 'x'))).toMatch(
      /#\/paths\/~1b\/get: is the operationId x with GET a second time; the first is #\/paths\/~1a\/get/,
    );
    const file = await compile(swagger({ '/a': { put: { operationId: 'x' }, post: { operationId: 'x' } } }));
    expect(buildUserOperations([file]).map(({ id }) => id)).toEqual([
      'parcels/x@v1-POST',
      'parcels/x@v1-PUT',
    ]);
  });

  test.each([
    ['no paths', { swagger: '2.0', info: { title: 'a', version: '1' } }, '#/paths: is missing'],
    ['no operation', swagger({}), '#/paths: holds no operation'],
    ['no info', { swagger: '2.0', paths: {} }, '#/info: is missing'],
    ['no title', { swagger: '2.0', info: { version: '1' }, paths: {} }, '#/info/title: is missing'],
    ['another version', { swagger: '1.2', info: {}, paths: {} }, '#/swagger: is "1.2"'],
    ['a newer version', { openapi: '4.0.0', info: {}, paths: {} }, '#/openapi: is "4.0.0"'],
    ['neither', { asyncapi: '2.0' }, 'is no API definition'],
    ['a list', [], 'is no API definition'],
    ['a path that is a text', swagger({ '/a': 'x' }), '#/paths/~1a: is not an object'],
    ['an operation that is a list', swagger({ '/a': { get: 1 } }), '#/paths/~1a/get: is not an object'],
    [
      'a parameter without a name',
      path([{ in: 'query', type: 'string' }]),
      '#/paths/~1a/get/parameters/0/name: is missing',
    ],
    [
      'a parameter in no place',
      path([{ name: 'q', in: 'body2' }]),
      '#/paths/~1a/get/parameters/0/in: is none of',
    ],
    [
      'a parameter twice',
      path([
        { name: 'q', in: 'query' },
        { name: 'q', in: 'query' },
      ]),
      'parameters/1: names the parameter q a second time',
    ],
    ['a dangling reference', path([{ $ref: '#/parameters/x' }]), 'parameters/0/$ref: refers to nothing'],
    [
      'a schema that is a number',
      path([{ name: 'b', in: 'body', schema: { properties: { x: 7 } } }]),
      'schema/properties/x: is not a schema',
    ],
    [
      'allOf that is no list',
      path([{ name: 'b', in: 'body', schema: { allOf: {} } }]),
      'schema/allOf: is not a list',
    ],
  ])('%s', async (_, content, message) => {
    expect(await refusal(content)).toContain(message);
  });

  test('a pattern that is no expression, or could take for ever, is not checked', async () => {
    const of = (pattern: string) => ({ name: pattern, in: 'query', type: 'string', pattern });
    const file = await compile(path([of('(a+)+$'), of('(?i)x('), of('^[A-Z]{2}$')]));
    expect(file.operations[0]?.parameters.map(({ schema }) => schema.pattern)).toEqual([
      undefined,
      undefined,
      '^[A-Z]{2}$',
    ]);
  });
});

describe('folders', () => {
  test('links inside a folder are not followed, so that none can lead in a circle or out of it', async () => {
    const folder = makeFolder();
    const outside = join(makeFolder(), 'outside.json');
    writeFileSync(outside, JSON.stringify(swagger({ '/out': get() })));
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'sub', 'a.json'), JSON.stringify(swagger({ '/a': get() })));
    symlinkSync(folder, join(folder, 'sub', 'loop'));
    symlinkSync(outside, join(folder, 'link.json'));
    const { files } = await compileAll(folder, NOW);
    expect(files.map(({ name }) => name)).toEqual(['a']);
    // Named by the person, a link is what it leads to.
    expect((await compileAll(join(folder, 'link.json'), NOW)).files.map(({ name }) => name)).toEqual([
      'outside',
    ]);
  });

  test('a named pipe is refused, not waited for', async () => {
    const pipe = join(makeFolder(), 'pipe.json');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    await expect(compileAll(pipe, NOW)).rejects.toThrow(/not a regular file/);
  });

  test('one malformed file refuses all; other JSON beside the definitions is told and left out', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'a.json'), JSON.stringify(swagger({ '/a': get() })));
    writeFileSync(join(folder, 'package.json'), '{"name":"x"}');
    const { files, others } = await compileAll(folder, NOW);
    expect([files.length, others]).toEqual([1, [join(folder, 'package.json')]]);
    writeFileSync(join(folder, 'b.yaml'), 'openapi: 3.1.0\ninfo: {}\npaths: {}');
    await expect(compileAll(folder, NOW)).rejects.toThrow(/b\.yaml: #\/info\/title/);
  });

  test('nothing there, or nothing in it', async () => {
    const folder = makeFolder();
    await expect(compileAll(join(folder, 'nowhere'), NOW)).rejects.toThrow(/no such file or folder/);
    await expect(compileAll(folder, NOW)).rejects.toThrow(/holds no \.json/);
    writeFileSync(join(folder, 'a.json'), '{}');
    await expect(compileAll(folder, NOW)).rejects.toThrow(/holds no API definition/);
  });
});
