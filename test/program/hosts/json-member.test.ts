import fc from 'fast-check';
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { insertMember, removeMember } from '../../../src/program/hosts/json-member.ts';

function tree(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) throw new Error(`not JSON: ${text}`);
  return root;
}

const add = (text: string) => insertMember(text, tree(text), 'new', { a: [1] });

function remove(text: string): string {
  const root = tree(text);
  const member = findNodeAtLocation(root, ['new'])?.parent;
  if (member === undefined) throw new Error('it is not there');
  return removeMember(text, root, member, ['new']);
}

describe('a member comes and goes', () => {
  it.each([
    '{}',
    '{\n  "a": 1\n}\n',
    '{\n  "a": 1 // behind a\n}\n',
    '{\n  "a": { "b": 1, "c": [1,2] } /* x, y */\n  // at the end\n}\n',
    '{\n\t"a": 1,\n\t"b": "}, {"\n}',
    '{\r\n    "a": 1\r\n}\r\n',
    '{\n  "a": 1, // trailing\n}\n',
    '// top\n{\n  "a": 1\n  ,\n}\n',
    '{\n  // only a comment\n}\n',
  ])('and leaves %j as it was', (text) => {
    const added = add(text);
    expect(tree(added).children).toHaveLength((tree(text).children?.length ?? 0) + 1);
    expect(remove(added)).toBe(text);
  });

  it('keeps a comment behind the member it explains', () => {
    expect(add('{\n  "a": 1 // behind a\n}\n')).toBe(
      '{\n  "a": 1, // behind a\n  "new": {\n    "a": [\n      1\n    ]\n  }\n}\n',
    );
  });

  it('opens an object of one line without touching what stands in it', () => {
    expect(add('{ "a": {"b":1} }')).toMatch(/^\{ "a": \{"b":1\},\n {2}"new": \{/);
  });

  it('goes from between others, and from one line', () => {
    expect(remove('{\n  "a": 1,\n  "new": 2,\n  "b": 3\n}')).toBe('{\n  "a": 1,\n  "b": 3\n}');
    expect(remove('{\n  "new": 2,\n  "b": 3\n}')).toBe('{\n  "b": 3\n}');
    expect(JSON.parse(remove('{"a":1,"new":2,"b":3}'))).toEqual({ a: 1, b: 3 });
    expect(JSON.parse(remove('{"a":1,\n"new":2}'))).toEqual({ a: 1 });
  });

  it('holds for any object in any usual layout', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(
        value,
        fc.constantFrom('', ' ', '  ', '    ', '\t'),
        fc.boolean(),
        (object, indent, windows) => {
          fc.pre(!Object.hasOwn(object, 'new') && !Object.hasOwn(object, '__proto__'));
          const plain = JSON.stringify(object, null, indent);
          const text = windows ? plain.replaceAll('\n', '\r\n') : plain;
          const added = add(text);
          expect(JSON.parse(added)).toEqual({ ...JSON.parse(text), new: { a: [1] } });
          const removed = remove(added);
          expect(JSON.parse(removed)).toEqual(JSON.parse(text));
          if (indent !== '') expect(removed).toBe(text);
        },
      ),
    );
  });
});
