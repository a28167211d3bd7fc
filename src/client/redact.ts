/** Takes known secrets out of a text that came from outside. */

/** Every occurrence of a secret becomes `***`; empty secrets are ignored. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '***');
  return clean;
}
