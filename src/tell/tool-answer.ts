/** What a tool gives back, whatever it does: text, a structured form, and addresses of what did not fit. */

/** What a tool gives back: `text` for reading, `structured` for programs, each within the answer budget. */
export interface ToolAnswer<Structured = Readonly<Record<string, unknown>>> {
  text: string;
  structured: Structured;
  /** Addresses of resources that hold what did not fit. */
  links?: readonly ResourceLink[];
  /** The service answered, and the answer is no. */
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

// What is told of data that are masked where they stand: answers and errors of statements over the tables.

/**
 * Not searched for what was masked before: words that a statement makes would come back as marks, and tell that they
 * are a buyer's. A copy of its members is as good.
 */
export interface MaskedAtSource {
  isMaskedAtSource: true;
}

export const maskedAtSource = <Told extends object>(told: Told): Told & MaskedAtSource =>
  Object.assign(told, { isMaskedAtSource: true as const });

export const isMaskedAtSource = (told: unknown): boolean =>
  typeof told === 'object' && told !== null && 'isMaskedAtSource' in told && told.isMaskedAtSource === true;
