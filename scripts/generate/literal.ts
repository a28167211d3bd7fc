/** Formats values as TypeScript literals whose diff can be read: a value that is too long for a line has one member a line. */

const MAX_LINE = 800;

/** Formats one value. @param indent counts the blanks before the line in which it begins */
export function literalOf(value: unknown, indent = 0): string {
  const whole = JSON.stringify(value);
  if (whole.length + indent <= MAX_LINE || typeof value !== 'object' || value === null) return whole;
  const inner = indent + 2;
  const members = Array.isArray(value)
    ? value.map((one) => literalOf(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literalOf(one, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return [open, ...members.map((one) => `${' '.repeat(inner)}${one},`), `${' '.repeat(indent)}${close}`].join(
    '\n',
  );
}
