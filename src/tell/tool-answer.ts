/** What a tool gives back, whatever it does: text, a structured form, and addresses of what did not fit. */

/** What a tool gives back: `text` for reading, `structured` for programs, each within the answer budget. */
export interface ToolAnswer<Structured = Readonly<Record<string, unknown>>> {
  text: string;
  structured: Structured;
  /** Addresses of resources that hold what did not fit. */
  links?: readonly ResourceLink[];
  /** The service answered, and the answer is no. */
  isError?: boolean;
}

export interface ResourceLink {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
}
