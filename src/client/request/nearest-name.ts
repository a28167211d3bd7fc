/** The name that was probably meant. */

/** The closest of `names`, or undefined when none is near. */
export async function nearestName(wrong: string, names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  const { closest, distance } = await import('fastest-levenshtein');
  const lower = names.map((name) => name.toLowerCase());
  const near = closest(wrong.toLowerCase(), lower);
  const found = names[lower.indexOf(near)];
  return distance(wrong.toLowerCase(), near) <= Math.max(2, wrong.length / 3) ? found : undefined;
}

/** `is not known here. Did you mean x? Valid: x, y, z.` */
export async function unknownName(wrong: string, names: readonly string[]): Promise<string> {
  const near = await nearestName(wrong, names);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return `is not known here.${meant} ${names.length === 0 ? 'None is accepted.' : `Valid: ${names.join(', ')}.`}`;
}
