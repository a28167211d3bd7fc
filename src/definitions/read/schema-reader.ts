/**
 * Reduces schemas of Swagger 2.0 and OpenAPI 3 to their facts: no prose, merged `allOf`, alternatives
 * loosened to their common parts. References stay names, so that recursion stays recursion.
 */

import { groupBy } from '../../base/group-by.ts';
import { isJsonObject } from '../../base/json.ts';
import { hasHidden } from '../../base/text/escape-text.ts';
import type { JsonSchema } from '../../service/facts/operation.ts';
import { partsOf, resolveSchema, type SchemaDefs } from '../../service/facts/schema-parts.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';
import {
  MAX_ENUM,
  MAX_ENUM_VALUE,
  MAX_MEMBERS,
  MAX_NAME,
  MAX_PARTS,
  MAX_REFERENCE_DEPTH,
  MAX_SCHEMA_PARTS,
} from '../limits.ts';
import { checkName } from './check-name.ts';
import type { References } from './references.ts';
import { isSafePattern } from './safe-pattern.ts';

/** Reads schemas of one file and collects every referenced shape in `defs`. */
export class SchemaReader {
  readonly #references: References;
  /** The object has no prototype, because a shape may be called `constructor`. */
  readonly #defs: Record<string, JsonSchema> = Object.create(null);
  readonly #names = new Map<string, string>();
  readonly #plain = new Map<string, JsonSchema>();
  readonly #merging = new Set<string>();
  readonly #merged = new Map<string, JsonSchema>();
  readonly #sizes = new WeakMap<JsonSchema, number>();
  readonly #used = new Map<string, number>();
  #depth = 0;
  #parts = 0;

  constructor(references: References) {
    this.#references = references;
  }

  /** The named shapes found so far, in order of first use. */
  get defs(): Record<string, JsonSchema> {
    return { ...this.#defs };
  }

  /**
   * Reads a schema.
   * @param source a schema as it is in the file
   * @throws DefinitionError
   */
  read(source: unknown, pointer: string): JsonSchema {
    if (source === undefined || typeof source === 'boolean') return {};
    if (!isJsonObject(source)) throw new DefinitionError(pointer, 'is not a schema');
    if (typeof source.$ref === 'string') return this.#readReference(source.$ref, pointer);
    const { allOf } = source;
    if (allOf !== undefined)
      return this.#counted(
        mergeAll([...this.#readParts(allOf, pointer, 'allOf'), this.#readOwn(source, pointer)]),
        pointer,
      );
    return this.#readOwn(source, pointer);
  }

  /**
   * Reads a schema like `read`, with named shapes written out.
   * @throws DefinitionError
   */
  readWhole(source: unknown, pointer: string): JsonSchema {
    const schema = this.read(source, pointer);
    return hasNames(schema) ? this.#counted(withoutNames(schema, this.#defs), pointer) : schema;
  }

  /** Counts every use of a shape, because a file may refer to one shape any number of times. */
  #count(parts: number, pointer: string): void {
    this.#parts += parts;
    if (this.#parts <= MAX_SCHEMA_PARTS) return;
    throw new DefinitionError(
      pointer,
      `leads to more than ${MAX_SCHEMA_PARTS} schemas and members once its references are followed`,
    );
  }

  /** Returns the number of schemas and values in a schema, itself included, once written out. */
  #sizeOf(schema: JsonSchema): number {
    const known = this.#sizes.get(schema);
    if (known !== undefined) return known;
    const { enum: values = [], required = [] } = schema;
    const own = 1 + values.length + required.length;
    const size = partsOf(schema).reduce((sum, part) => sum + this.#sizeOf(part), own);
    this.#sizes.set(schema, size);
    return size;
  }

  /** Counts the shape and refuses one with too many members to show or check. */
  #counted(schema: JsonSchema, pointer: string): JsonSchema {
    const members = Object.keys(schema.properties ?? {}).length;
    if (members > MAX_MEMBERS)
      throw new DefinitionError(pointer, `has ${members} members; at most ${MAX_MEMBERS} are taken`);
    this.#count(this.#sizeOf(schema), pointer);
    return schema;
  }

  #readOwn(source: Record<string, unknown>, pointer: string): JsonSchema {
    const own = this.#readPlain(source, pointer);
    const unions = (['oneOf', 'anyOf'] as const).filter((key) => source[key] !== undefined);
    const alternatives = unions.map((key) => loosen(this.#readParts(source[key], pointer, key)));
    return alternatives.length === 0 ? own : this.#counted(mergeAll([...alternatives, own]), pointer);
  }

  #readReference(reference: string, from: string): JsonSchema {
    const known = this.#plain.get(reference);
    if (known !== undefined) return known;
    const existing = this.#names.get(reference);
    if (existing !== undefined) return { $ref: `#/$defs/${existing}` };
    const { value, pointer } = this.#references.follow(reference, from);
    const name = this.#nameFor(reference);
    this.#names.set(reference, name);
    this.#defs[name] = {};
    const schema = this.#deeper(from, () => this.read(value, pointer));
    if (isPlainValue(schema)) {
      this.#names.delete(reference);
      delete this.#defs[name];
      this.#plain.set(reference, schema);
      return schema;
    }
    this.#defs[name] = schema;
    return { $ref: `#/$defs/${name}` };
  }

  /**
   * Returns a unique name from the last part of the reference, in characters that a JSON pointer does not
   * escape.
   */
  #nameFor(reference: string): string {
    const last = reference.slice(reference.lastIndexOf('/') + 1).replaceAll('~1', '_');
    const name = last.replace(/[^\w.$-]/g, '_').slice(0, MAX_NAME) || 'Shape';
    for (let i = this.#used.get(name) ?? 1; ; i += 1) {
      const candidate = i === 1 ? name : `${name}_${i}`;
      if (Object.hasOwn(this.#defs, candidate)) continue;
      this.#used.set(name, i);
      return candidate;
    }
  }

  #readPlain(source: Record<string, unknown>, pointer: string): JsonSchema {
    const { properties, items, additionalProperties: rest } = source;
    const mayBe = (type: 'object' | 'array') => allowsType(source, type);
    const members =
      isJsonObject(properties) && mayBe('object')
        ? this.#readProperties(properties, pointerTo(pointer, 'properties'))
        : undefined;
    const required = members && requiredOf(source, members.writable);
    const scalars = readScalars(source);
    this.#count(1 + Object.keys(members?.schemas ?? {}).length + (scalars.enum?.length ?? 0), pointer);
    return {
      ...scalars,
      ...(members && { type: 'object', properties: members.schemas }),
      ...(required && required.length > 0 && { required }),
      ...(isJsonObject(items) &&
        mayBe('array') && { type: 'array', items: this.read(items, pointerTo(pointer, 'items')) }),
      ...(mayBe('object') && this.#readRest(rest, pointer)),
    };
  }

  #readRest(rest: unknown, pointer: string): JsonSchema {
    if (typeof rest === 'boolean') return { type: 'object', additionalProperties: rest };
    if (!isJsonObject(rest)) return {};
    const isAny = Object.keys(rest).length === 0;
    const schema = isAny || this.read(rest, pointerTo(pointer, 'additionalProperties'));
    return { type: 'object', additionalProperties: schema };
  }

  #readProperties(properties: Record<string, unknown>, pointer: string) {
    const writable = new Set<string>();
    const count = Object.keys(properties).length;
    if (count > MAX_MEMBERS)
      throw new DefinitionError(pointer, `lists ${count} members; at most ${MAX_MEMBERS} are taken`);
    const schemas = Object.entries(properties).map(([name, value]) => {
      checkName(name, pointer);
      if (!isJsonObject(value) || value.readOnly !== true) writable.add(name);
      return [name, this.read(value, pointerTo(pointer, name))] as const;
    });
    return { schemas: Object.fromEntries(schemas), writable };
  }

  /** Reads the parts of `allOf`, `oneOf` or `anyOf`; a reference is followed for its members. */
  #readParts(parts: unknown, pointer: string, key: string): JsonSchema[] {
    const at = pointerTo(pointer, key);
    if (!Array.isArray(parts)) throw new DefinitionError(at, 'is not a list of schemas');
    if (parts.length > MAX_PARTS) throw new DefinitionError(at, `lists more than ${MAX_PARTS} schemas`);
    return parts.map((part: unknown, i) => {
      const partPointer = pointerTo(at, i);
      return isJsonObject(part) && typeof part.$ref === 'string'
        ? this.#readThrough(part.$ref, partPointer)
        : this.read(part, partPointer);
    });
  }

  #readThrough(reference: string, from: string): JsonSchema {
    const known = this.#merged.get(reference);
    if (known !== undefined) return this.#counted(known, from);
    if (this.#merging.has(reference)) return {};
    this.#merging.add(reference);
    const { value, pointer } = this.#references.follow(reference, from);
    const schema = this.#deeper(from, () => this.read(value, pointer));
    this.#merging.delete(reference);
    this.#merged.set(reference, schema);
    return schema;
  }

  #deeper<T>(from: string, work: () => T): T {
    if (this.#depth >= MAX_REFERENCE_DEPTH) {
      throw new DefinitionError(from, `more than ${MAX_REFERENCE_DEPTH} references lead one into the other`);
    }
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
    }
  }
}

/**
 * Returns true when members or items may define the type. Next to another type they are a leftover of an
 * edit, so `type: string` with `items` is a string.
 */
function allowsType({ type }: Record<string, unknown>, wanted: 'object' | 'array'): boolean {
  if (type === undefined) return true;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null');
  return types.length === 0 || (types.length === 1 && types[0] === wanted);
}

/** Returns the required members that the schema has and that a caller can send. */
function requiredOf({ required }: Record<string, unknown>, writable: ReadonlySet<string>): string[] {
  if (!Array.isArray(required)) return [];
  return [
    ...new Set(required.filter((name): name is string => typeof name === 'string' && writable.has(name))),
  ];
}

/**
 * Returns true for a bounded string or number, which is written out where it is used, because a name adds
 * nothing.
 */
function isPlainValue(schema: JsonSchema): boolean {
  return [schema.$ref, schema.properties, schema.items, schema.enum, schema.additionalProperties].every(
    (part) => part === undefined,
  );
}

// Merges schemas: all of them at once (`allOf`), or the union of what each accepts (`oneOf`, `anyOf`).

/** Merges the members of all schemas into one object; the later schema wins a conflict. */
function mergeAll(schemas: readonly JsonSchema[]): JsonSchema {
  const filled = schemas.filter((schema) => Object.keys(schema).length > 0);
  const [only, ...others] = filled;
  if (only === undefined) return {};
  if (others.length === 0) return only;
  const properties = Object.fromEntries(filled.flatMap((schema) => Object.entries(schema.properties ?? {})));
  const required = [...new Set(filled.flatMap((schema) => schema.required ?? []))];
  const merged: JsonSchema = Object.assign({}, ...filled.map(withoutClosing));
  return {
    ...merged,
    ...(Object.keys(properties).length > 0 && { type: 'object', properties }),
    required: required.length > 0 ? required : undefined,
  };
}

/** Drops the ban on other members, because beside other parts it would forbid theirs. */
function withoutClosing(schema: JsonSchema): JsonSchema {
  const { additionalProperties, ...rest } = schema;
  return additionalProperties === false ? rest : schema;
}

/** Returns a schema that accepts at least whatever one of the alternatives accepts. */
function loosen(alternatives: readonly JsonSchema[]): JsonSchema {
  const [first, ...others] = alternatives;
  if (first === undefined) return {};
  const text = JSON.stringify(first);
  if (others.every((other) => JSON.stringify(other) === text)) return first;
  if (alternatives.every(isEnumAlone)) return enumsOf(alternatives);
  const types = new Set(alternatives.map((schema) => (schema.properties ? 'object' : schema.type)));
  const [type] = types;
  if (types.size !== 1 || type === undefined) return {};
  const nullable = alternatives.some((schema) => schema.nullable) ? { nullable: true } : {};
  if (type !== 'object') return { type, ...nullable, ...enumsOf(alternatives) };
  return { type, ...nullable, ...looseMembers(alternatives) };
}

/** Returns true for a list of values without a type, as from a `const`. */
function isEnumAlone(schema: JsonSchema): boolean {
  return schema.enum !== undefined && Object.keys(schema).length === 1;
}

function enumsOf(alternatives: readonly JsonSchema[]): JsonSchema {
  const values = alternatives.flatMap((schema) => schema.enum ?? []);
  return alternatives.every((schema) => schema.enum !== undefined) ? { enum: [...new Set(values)] } : {};
}

/**
 * Returns the members of all alternatives, required if all require them. A member that differs between
 * alternatives is loosened.
 */
function looseMembers(alternatives: readonly JsonSchema[]): JsonSchema {
  if (alternatives.some((schema) => schema.properties === undefined)) return {};
  const members = groupBy(
    alternatives.flatMap(({ properties = {} }) => Object.entries(properties)),
    ([name]) => name,
  );
  const requiring = groupBy(
    alternatives.flatMap(({ required = [] }) => [...new Set(required)]),
    (name) => name,
  );
  const required = [...members.keys()].filter((name) => requiring.get(name)?.length === alternatives.length);
  return {
    properties: Object.fromEntries(
      [...members].map(([name, same]) => [name, loosen(same.map(([, shape]) => shape))]),
    ),
    ...(required.length > 0 && { required }),
  };
}

// The plain facts of a schema are type, bounds and enum; anything unknown is left out, never guessed.

const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const;
/** Formats that only state the size of a number, which does not matter in JSON. */
const DULL_FORMATS = new Set(['int32', 'int64', 'double', 'float']);
/**
 * The allowed names of a format, which descriptions show. A file of the service has a pattern there, which is
 * no format.
 */
const FORMAT = /^[\w./+-]{1,40}$/;

/** Reads the plain facts. A bound that is left out only accepts more, and the service still validates. */
function readScalars(source: Readonly<Record<string, unknown>>): JsonSchema {
  const type = typeOf(source.type);
  const values = enumOf(source, type);
  const { format, pattern } = source;
  return {
    ...(type && { type }),
    ...(values && { enum: values }),
    ...(typeof format === 'string' && !DULL_FORMATS.has(format) && FORMAT.test(format) && { format }),
    ...(typeof pattern === 'string' && isSafePattern(pattern) && { pattern }),
    ...numbersOf(source),
    ...(type && isNullable(source) && { nullable: true }),
  };
}

function typeOf(type: unknown): JsonSchema['type'] {
  const names = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null');
  return names.length === 1 ? TYPES.find((known) => known === names[0]) : undefined;
}

function isNullable({ nullable, type, 'x-nullable': extension }: Readonly<Record<string, unknown>>): boolean {
  return nullable === true || extension === true || (Array.isArray(type) && type.includes('null'));
}

/**
 * Returns undefined when the list has any value that is not plain, because an enum must never refuse what the
 * file allows.
 */
function enumOf(source: Readonly<Record<string, unknown>>, type: JsonSchema['type']): JsonSchema['enum'] {
  const values: unknown[] | undefined = Array.isArray(source.enum)
    ? source.enum
    : source.const === undefined
      ? undefined
      : [source.const];
  if (values === undefined || values.length === 0 || isNullable(source)) return undefined;
  if (values.length > MAX_ENUM) return undefined;
  const plain = values.filter(isPlain).flatMap((value) => asType(value, type) ?? []);
  return plain.length === values.length ? plain : undefined;
}

/**
 * Converts a value to the declared type: `enum: [1, 2]` of a string is "1" and "2". Undefined when that is
 * impossible.
 */
function asType(value: string | number | boolean, type: JsonSchema['type']): typeof value | undefined {
  if (type === undefined || type === typeof value) return value;
  if (type === 'string') return String(value);
  if (type === 'boolean') return value === 'true' || value === 'false' ? value === 'true' : undefined;
  if (type === 'object' || type === 'array' || typeof value === 'boolean') return undefined;
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= MAX_ENUM_VALUE && !hasHidden(value);
  return typeof value === 'number' || typeof value === 'boolean';
}

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const;

function numbersOf(source: Readonly<Record<string, unknown>>): JsonSchema {
  const bounds = (['minimum', 'maximum'] as const).filter((key) => Number.isFinite(source[key]));
  const counts = COUNTS.filter((key) => Number.isSafeInteger(source[key]) && Number(source[key]) >= 0);
  const numbers = Object.fromEntries([...bounds, ...counts].map((key) => [key, Number(source[key])]));
  const multipleOf = Number(source.multipleOf);
  return { ...numbers, ...(typeof source.multipleOf === 'number' && multipleOf > 0 && { multipleOf }) };
}

// Shapes of parameters are written out without names, because parameters are shown and checked without the
// file's shapes.

/** The maximum depth of nested arrays that are written out, because an array may contain itself. */
const MAX_ARRAY_DEPTH = 3;

/** Replaces a named object by one that accepts any members, because outside a body no object can be sent. */
function withoutNames(schema: JsonSchema, defs: SchemaDefs, arrays = MAX_ARRAY_DEPTH): JsonSchema {
  const shape = resolveSchema(schema, defs);
  if (shape.items !== undefined) {
    const { items, ...rest } = shape;
    return arrays === 0 ? rest : { ...rest, items: withoutNames(items, defs, arrays - 1) };
  }
  const isWritten = schema.$ref === undefined && !hasNames(shape);
  return isWritten || partsOf(shape).length === 0 ? shape : { type: 'object' };
}

/** Returns true when a shape contains a reference at any depth. */
function hasNames(schema: JsonSchema): boolean {
  return schema.$ref !== undefined || partsOf(schema).some(hasNames);
}
