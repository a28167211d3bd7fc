/** JSON values of unknown origin: guards, text and size, safe for any depth and any member name. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** JSON of a value, compact; unlike JSON.stringify it also manages values that are nested very deeply. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return writeWithoutRecursion(value);
  }
}

function writeWithoutRecursion(root: unknown): string {
  const out: string[] = [];
  const todo: ({ text: string } | { value: unknown })[] = [{ value: root }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if ('text' in next) out.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null) {
      out.push(JSON.stringify(next.value) ?? 'null');
    } else todo.push(...pieces(next.value).reverse());
  }
  return out.join('');
}

function pieces(value: object): ({ text: string } | { value: unknown })[] {
  if (Array.isArray(value)) {
    const inner = value.flatMap((element, i) => [{ text: i === 0 ? '' : ',' }, { value: element }]);
    return [{ text: '[' }, ...inner, { text: ']' }];
  }
  const inner = Object.entries(value).flatMap(([name, member], i) => [
    { text: `${i === 0 ? '' : ','}${JSON.stringify(name)}:` },
    { value: member },
  ]);
  return [{ text: '{' }, ...inner, { text: '}' }];
}

export interface Measure {
  /** Bytes of the value as compact JSON; at most one too many per array or object. */
  bytes: number;
  /** Levels of nesting; Infinity beyond 300. */
  height: number;
}

/** A measuring function that remembers arrays and objects, so that a walk down a value costs one pass. */
export function createMeasure(): (value: unknown) => Measure {
  const known = new WeakMap<object, Measure>();
  const measure = (value: unknown, depth: number): Measure => {
    if (typeof value !== 'object' || value === null) return { bytes: byteLength(jsonText(value)), height: 0 };
    const seen = known.get(value);
    if (seen !== undefined) return seen;
    const result =
      depth > 300 ? { bytes: byteLength(jsonText(value)), height: Infinity } : add(value, measure, depth);
    known.set(value, result);
    return result;
  };
  return (value) => measure(value, 0);
}

function add(value: object, measure: (value: unknown, depth: number) => Measure, depth: number): Measure {
  let bytes = 2;
  let height = 0;
  for (const [name, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const inner = measure(child, depth + 1);
    bytes += inner.bytes + 1 + (typeof name === 'string' ? nameBytes(name) : 0);
    height = Math.max(height, inner.height);
  }
  return { bytes, height: height + 1 };
}

/** Bytes of a member name with its quotes and colon. */
export function nameBytes(name: string): number {
  return byteLength(JSON.stringify(name)) + 1;
}
