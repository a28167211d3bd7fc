/** The data of any tool: text, a structured form, and addresses of omitted parts. */

/** The data of a tool: `text` for reading, `structured` for programs, each within the answer budget. */
export interface ToolAnswer<Structured = Readonly<Record<string, unknown>>> {
  text: string;
  structured: Structured;
  /** Addresses of resources with the omitted parts. */
  links?: readonly ResourceLink[];
  /** True if the service rejected the request. */
  isError?: boolean;
  /** See `maskedAtSource`. */
  isMaskedAtSource?: boolean;
}

export interface ResourceLink {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
}

// The types below are for results of data that are masked in the tables: answers and errors of statements.

/**
 * Marks a data that is not searched for masked values again. Otherwise a word made by a statement would
 * come back as a placeholder, which reveals that it is a buyer's. A copy of its members works as well.
 */
export interface MaskedAtSource {
  isMaskedAtSource: true;
}

export const maskedAtSource = <Told extends object>(data: Told): Told & MaskedAtSource =>
  Object.assign(data, { isMaskedAtSource: true as const });

export const isMaskedAtSource = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'isMaskedAtSource' in data && data.isMaskedAtSource === true;
