import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import {
  findEntry,
  removeEntry,
  type Slot,
  setEntry,
  updateEntry,
} from '../../../src/program/hosts/config-text.ts';
import { getHost } from '../../../src/program/hosts/hosts.ts';

const lenient: Slot = { host: getHost('vscode'), file: '/x/mcp.json', name: 'seller-commerce' };
const strict: Slot = { host: getHost('claude-code'), file: '/x/.claude.json', name: 'seller-commerce' };
const entry = { command: 'npx', args: ['-y', 'seller-commerce-mcp'], env: {} };

const commented = `// my servers
{
\t/* the first */
\t"servers": {
\t\t"other": { "command": "x" }, // keep me
\t},
\t"inputs": [] // and me
}
`;

describe('adding an entry', () => {
  it.each(['', '  \n', '{}', '{"theme": 1}'])('to %j', (text) => {
    const after = setEntry(text, strict, entry);
    expect(JSON.parse(after)).toEqual({
      ...(text.includes('theme') && { theme: 1 }),
      mcpServers: { 'seller-commerce': { command: 'npx', args: ['-y', 'seller-commerce-mcp'] } },
    });
    expect(findEntry(after, strict)).toMatchObject(entry);
  });

  it('to a file of comments only', () => {
    const after = setEntry('// nothing yet\n', lenient, entry);
    expect(after).toContain('// nothing yet');
    expect(findEntry(after, lenient)).toMatchObject(entry);
  });

  it('keeps comments, trailing commas, tabs and every line that stood there', () => {
    const after = setEntry(commented, lenient, entry);
    for (const part of ['// my servers', '/* the first */', '// keep me', '// and me', '"inputs": []']) {
      expect(after).toContain(part);
    }
    expect(after).toContain('\n\t\t"seller-commerce": {\n\t\t\t"command"');
    expect(findEntry(after, lenient)).toMatchObject(entry);
    expect(findEntry(after, { ...lenient, name: 'other' })?.command).toBe('x');
  });

  it('keeps the line ends of Windows', () => {
    const after = setEntry('{\r\n  "servers": {\r\n    "a": {}\r\n  }\r\n}\r\n', lenient, entry);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('keeps four spaces', () => {
    expect(setEntry('{\n    "mcpServers": {}\n}\n', strict, entry)).toContain(
      '\n        "seller-commerce": {',
    );
  });
});

describe('changing an entry of ours', () => {
  const text = `{
  "servers": {
    "seller-commerce": {
      "command": "npx", // from the readme
      "args": ["-y", "seller-commerce-mcp"],
      "disabled": true,
      "env": { "SELLER_WRITES": "allow", "NODE_EXTRA_CA_CERTS": "/ca.pem" }
    }
  }
}
`;
  const update = (next: Parameters<typeof updateEntry>[2]) => updateEntry(text, lenient, next);

  it('sets what is given, and keeps settings that are not named and what is not ours', () => {
    const after = update({ type: 'stdio', command: 'node', args: ['/m.mjs'], env: { SELLER_REGION: 'eu' } });
    expect(findEntry(after, lenient)?.value).toEqual({
      type: 'stdio',
      command: 'node',
      args: ['/m.mjs'],
      disabled: true,
      env: { SELLER_WRITES: 'allow', NODE_EXTRA_CA_CERTS: '/ca.pem', SELLER_REGION: 'eu' },
    });
    expect(after).toContain('// from the readme');
  });

  it('changes no byte when nothing differs', () => {
    expect(update({ ...entry, env: { SELLER_WRITES: 'allow' } })).toBe(text);
  });

  it.each([
    '{"servers":{"other":{"command":"x","args":["a","b"]},"seller-commerce":{"command":"npx","args":["seller-commerce-mcp"]},"z":{"env":{"A":"1"}}},"theme":[1,2]}',
    '{ "servers": { "seller-commerce": { "command": "npx", "args": [] , "env": {} }, "other": { "args": ["a", "b"] } } }',
    '{\n "servers": { "other": {"args":["a","b"]},\n  "seller-commerce": {"command":"npx","env":null}, "z": {"b":[1,\n2]} }\n}',
  ])('leaves the values of the other servers: %s', (line) => {
    const next = { command: 'npx', args: ['-y', 'seller-commerce-mcp@2.0.0'], env: { SELLER_REGION: 'eu' } };
    const after = updateEntry(line, lenient, next);
    expect(findEntry(after, lenient)).toMatchObject(next);
    const others = (text: string) => parse(removeEntry(text, lenient));
    expect(others(after)).toEqual(others(line));
  });
});

describe('removing', () => {
  it('gives back the file as it was', () => {
    for (const before of [
      commented.replace('},\n\t"in', '}\n\t,"in'),
      '{\n  "servers": {\n    "a": {}\n  }\n}\n',
    ]) {
      const added = setEntry(before, lenient, entry);
      const removed = removeEntry(added, lenient);
      expect(removed.replace(/\s/g, '')).toBe(before.replace(/\s/g, ''));
    }
  });
});

describe('a file that is not a configuration', () => {
  it.each([
    ['{\n  "mcpServers": {\n    "a": \n  }\n}', '/x/.claude.json, line 4: value expected'],
    ['{\n  "a": 1', 'line 2: close brace expected'],
    ['{\n "a": "x\n}', 'line 2: unexpected end of string'],
    ['{\n  // note\n}', 'line 2: Claude Code does not read comments'],
    ['{ "a": 1, }', 'line 1: '],
    ['[]', 'line 1: an object { } was expected'],
    ['"text"', 'line 1: an object { } was expected'],
    ['{\n\n"mcpServers": null}', 'line 3: "mcpServers" is not an object { }'],
    ['{"mcpServers": {},\n"mcpServers": {}}', 'line 2: "mcpServers" occurs twice'],
    [
      '{"mcpServers": {"seller-commerce": {},\n"seller-commerce": {}}}',
      'line 2: "seller-commerce" occurs twice',
    ],
  ])('%j', (text, reason) => {
    expect(() => findEntry(text, strict)).toThrow(InputError);
    expect(() => findEntry(text, strict)).toThrow(reason);
  });

  it('an entry that makes no sense is found, and starts nothing of ours', () => {
    for (const value of ['null', '[]', '{"command": 3, "args": "x"}', '{"command": "npx", "env": 1}']) {
      const found = findEntry(`{"mcpServers": {"seller-commerce": ${value}}}`, strict);
      expect(found).toMatchObject({ env: {}, args: [], command: '' });
    }
  });
});
