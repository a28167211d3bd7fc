/** Reduces a Swagger 2.0 schema to its facts: no prose, `allOf` merged, references collected. */

import { isRecord } from '../../src/service/compact-schema.ts';
import { jsonSchemaSchema } from '../../src/service/json-schema.ts';
import type { JsonSchema } from '../../src/service/operation.ts';

/** Formats that only size a number say nothing about JSON. */
const dullFormats = new Set(['int32', 'int64', 'double', 'float']);
const scalars = [
  ...['type', 'enum', 'format', 'pattern', 'multipleOf'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
];

/** Reads schemas of one file; every shape that a read schema refers to ends up in `defs`. */
export class SwaggerSchemas {
  readonly defs: Record<string, JsonSchema> = {};
  readonly #definitions: Record<string, unknown>;

  constructor(definitions: Record<string, unknown>) {
    this.#definitions = definitions;
  }

  read(source: unknown): JsonSchema {
    if (!isRecord(source)) return {};
    if (typeof source.$ref === 'string') return this.#readReference(source.$ref);
    if (Array.isArray(source.allOf)) return this.#merge([...source.allOf, { ...source, allOf: undefined }]);
    return this.#readPlain(source);
  }

  #readReference(reference: string): JsonSchema {
    const name = this.#nameOf(reference);
    if (!(name in this.defs)) {
      this.defs[name] = {};
      const schema = this.read(this.#definitions[name]);
      this.defs[name] = schema;
      if (isPlainValue(schema)) {
        delete this.defs[name];
        return schema;
      }
    }
    return { $ref: `#/$defs/${name}` };
  }

  #nameOf(reference: string): string {
    const name = reference.replace('#/definitions/', '');
    if (!Object.hasOwn(this.#definitions, name)) throw new Error(`refers to nothing: ${reference}`);
    return name;
  }

  #readPlain(source: Record<string, unknown>): JsonSchema {
    const { properties, items, additionalProperties: rest } = source;
    const required = listOf(source.required).filter((name) => isRecord(properties) && name in properties);
    return jsonSchemaSchema.parse({
      ...Object.fromEntries(scalars.filter((key) => key in source).map((key) => [key, source[key]])),
      format: dullFormats.has(String(source.format)) ? undefined : source.format,
      ...(isRecord(properties) && {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, value]) => [key, this.read(value)]),
        ),
      }),
      ...(required.length > 0 && { required }),
      ...(isRecord(items) && { type: 'array', items: this.read(items) }),
      ...(isRecord(rest) && { type: 'object', additionalProperties: this.#readRest(rest) }),
      ...(typeof rest === 'boolean' && { type: 'object', additionalProperties: rest }),
    });
  }

  #readRest(rest: Record<string, unknown>): boolean | JsonSchema {
    return Object.keys(rest).length === 0 ? true : this.read(rest);
  }

  /** All the parts' members in one object; a part that is referred to is read through its reference. */
  #merge(parts: readonly unknown[]): JsonSchema {
    const schemas = parts.map((part) => {
      const isReference = isRecord(part) && typeof part.$ref === 'string';
      return this.read(isReference ? this.#definitions[this.#nameOf(String(part.$ref))] : part);
    });
    const properties = Object.assign({}, ...schemas.map((schema) => schema.properties ?? {}));
    const required = [...new Set(schemas.flatMap((schema) => schema.required ?? []))];
    return jsonSchemaSchema.parse({
      ...Object.assign({}, ...schemas),
      ...(Object.keys(properties).length > 0 && { type: 'object', properties }),
      required: required.length > 0 ? required : undefined,
    });
  }
}

/** A bounded string or number is written where it is used; a name for it would tell nothing. */
function isPlainValue(schema: JsonSchema): boolean {
  return [schema.$ref, schema.properties, schema.items, schema.enum, schema.additionalProperties].every(
    (part) => part === undefined,
  );
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
