/** The address of a file's resource. */

export function fileUri(name: string): string {
  return `seller://files/${encodeURIComponent(name)}`;
}
