/** Values as TypeScript literals that a diff can be read of: what does not fit into a line is one member a line. */

const LONGEST_LINE = 120;

/** @param indent blanks before the line in which the value begins */
export function literalOf(value: unknown, indent = 0): string {
  const whole = JSON.stringify(value);
  if (whole.length + indent <= LONGEST_LINE || typeof value !== 'object' || value === null) return whole;
  const inner = indent + 2;
  const members = Array.isArray(value)
    ? value.map((one) => literalOf(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literalOf(one, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return [open, ...members.map((one) => `${' '.repeat(inner)}${one},`), `${' '.repeat(indent)}${close}`].join(
    '\n',
  );
}
