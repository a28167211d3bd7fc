/** Shapes in a short TypeScript-like notation: `{sku: string(1..40), tags?: ("A"|"B")[]}`; shared shapes are named once. */

import { quoteName } from '../../text/quote-name.ts';
import type { JsonSchema } from '../facts/operation.ts';
import { finalName, nameOfRef, own, partsOf } from '../facts/schema-parts.ts';

export interface NotationLimits {
  /** Levels of objects written out; deeper ones shrink to the names of their members. */
  depth: number;
  /** Values shown of a longer enum. */
  enumValues: number;
}

export interface Notation {
  /** The shape itself. */
  text: string;
  /** `Name = {...}`, one for each shape that is used more than once. */
  shapes: string[];
  /** True when something was left out to stay short. */
  collapsed: boolean;
}

const longestPattern = 80;
const shortEnum = 40;

/** `defs` are the shapes that the schema refers to. */
export function renderNotation(
  schema: JsonSchema,
  defs: Readonly<Record<string, JsonSchema>>,
  limits: NotationLimits,
): Notation {
  const writer = new NotationWriter(defs, limits, countUses(schema, defs));
  const text = writer.write(schema, limits.depth);
  return { text, shapes: writer.writeShapes(), collapsed: writer.collapsed };
}

/** How often each shape is referred to from what can be reached. */
function countUses(schema: JsonSchema, defs: Readonly<Record<string, JsonSchema>>): Map<string, number> {
  const uses = new Map<string, number>();
  const visit = (part: JsonSchema): void => {
    if (part.$ref !== undefined) {
      const name = finalName(nameOfRef(part.$ref), defs);
      uses.set(name, (uses.get(name) ?? 0) + 1);
      const target = own(defs, name);
      if (uses.get(name) === 1 && target !== undefined) visit(target);
    }
    partsOf(part).forEach(visit);
  };
  visit(schema);
  return uses;
}

/** Keeps which named shapes are still to be written, and whether anything was left out. */
class NotationWriter {
  collapsed = false;
  readonly #defs: Readonly<Record<string, JsonSchema>>;
  readonly #limits: NotationLimits;
  readonly #uses: ReadonlyMap<string, number>;
  /** Named shapes met so far, with the deepest depth that any use leaves for them. */
  readonly #shapes = new Map<string, number>();

  constructor(
    defs: Readonly<Record<string, JsonSchema>>,
    limits: NotationLimits,
    uses: ReadonlyMap<string, number>,
  ) {
    this.#defs = defs;
    this.#limits = limits;
    this.#uses = uses;
  }

  writeShapes(): string[] {
    const written = new Map<string, { depth: number; text: string }>();
    const next = () => [...this.#shapes].find(([name, depth]) => (written.get(name)?.depth ?? -1) < depth);
    for (let shape = next(); shape !== undefined; shape = next()) {
      const [name, depth] = shape;
      written.set(name, { depth, text: `${name} = ${this.write(own(this.#defs, name) ?? {}, depth)}` });
    }
    return [...written.values()].map(({ text }) => text);
  }

  write(schema: JsonSchema, depth: number): string {
    if (schema.$ref !== undefined) return this.#writeReference(nameOfRef(schema.$ref), depth);
    if (schema.enum !== undefined) return this.#writeEnum(schema.enum);
    if (schema.items !== undefined) return `${group(this.write(schema.items, depth))}[${countOf(schema)}]`;
    if (schema.properties !== undefined) return this.#writeObject(schema, depth);
    if (typeof schema.additionalProperties === 'object') {
      return `{[name]: ${this.write(schema.additionalProperties, depth)}}`;
    }
    if (schema.type === 'array') return `any[${countOf(schema)}]`;
    return `${schema.type ?? 'any'}${boundsOf(schema)}`;
  }

  #writeReference(reference: string, depth: number): string {
    const name = finalName(reference, this.#defs);
    const shape = own(this.#defs, name) ?? {};
    if ((this.#uses.get(name) ?? 0) < 2 || !isWorthNaming(shape)) return this.write(shape, depth);
    if (depth > 0) this.#shapes.set(name, Math.max(this.#shapes.get(name) ?? 0, depth));
    else this.collapsed = true;
    return name;
  }

  #writeEnum(values: readonly (string | number | boolean)[]): string {
    const shown = values.slice(0, this.#limits.enumValues).map((value) => JSON.stringify(value));
    const left = values.length - shown.length;
    if (left > 0) this.collapsed = true;
    return [...shown, ...(left > 0 ? [`…${left} more`] : [])].join('|');
  }

  #writeObject(schema: JsonSchema, depth: number): string {
    const names = Object.entries(schema.properties ?? {});
    if (depth <= 0) {
      this.collapsed ||= names.length > 0;
      return `{${names.map(([name]) => quoteName(name)).join(', ')}: …}`;
    }
    const members = names.map(([name, member]) => {
      const mark = schema.required?.includes(name) === true ? '' : '?';
      return `${quoteName(name)}${mark}: ${this.write(member, depth - 1)}`;
    });
    return `{${members.join(', ')}}`;
  }
}

/** Objects and long enums get a name of their own; anything shorter is written where it stands. */
function isWorthNaming(shape: JsonSchema): boolean {
  if (shape.enum !== undefined) return JSON.stringify(shape.enum).length > shortEnum;
  return [shape.properties, shape.items, shape.additionalProperties].some((part) => typeof part === 'object');
}

function group(text: string): string {
  return text.includes('|') && !text.startsWith('{') ? `(${text})` : text;
}

/** `1..20`, or nothing. */
function countOf({ minItems, maxItems }: JsonSchema): string {
  return rangeOf(minItems, maxItems);
}

function rangeOf(low: number | undefined, high: number | undefined): string {
  return low === undefined && high === undefined ? '' : `${low ?? ''}..${high ?? ''}`;
}

function boundsOf(schema: JsonSchema): string {
  const { pattern, format, multipleOf } = schema;
  const parts = [
    rangeOf(schema.minLength ?? schema.minimum, schema.maxLength ?? schema.maximum),
    format ?? '',
    pattern !== undefined && pattern.length <= longestPattern ? `/${pattern}/` : '',
    multipleOf === undefined ? '' : `multiple of ${multipleOf}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `(${parts.join(', ')})`;
}
