/** The types of the user's folder of files: saved files, and files read from it. */

/** A file that was just saved completely. */
export interface SavedFile {
  /** The name with its extension, and its number when the name was taken: `labels (2).pdf`. */
  name: string;
  /** The absolute path, for the user. */
  path: string;
  bytes: number;
  /** The resource URI: `seller://files/labels%20(2).pdf`. */
  uri: string;
}

/** The known properties of the content that a tool saves. */
interface AboutContent {
  /**
   * The kind of the content, without a dot: `pdf`. An extension that is not known to be safe becomes `txt` or
   * `dat`.
   */
  ending?: string;
  /**
   * False only when the content cannot concern a buyer; the assistant may then read it, even while masking.
   */
  personal: boolean;
  /** The expected number of bytes, if known; free disk space is checked before the first of them. */
  bytes?: number;
}

/** A file for an upload; no handle stays open between reads. */
export interface OpenedFile {
  name: string;
  /** True when the extension is that of a text. */
  isText: boolean;
  path: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modified: number;
  /** False when this session saved the file as not personal and it is unchanged since. */
  personal: boolean;
  /**
   * Reads from the beginning, each time.
   * @throws InputError, also in the middle, when the file has changed since it was opened
   */
  read(): AsyncIterable<Uint8Array>;
}

export interface ListedFile {
  name: string;
  uri: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modified: number;
}

/**
 * The folder in one session. Every failure is an InputError (the name) or a ConfigError (folder, disk) with
 * the next step.
 */
export interface FilesFolder {
  /** Returns the absolute path without creating anything. */
  folder(): Promise<string>;
  /**
   * Saves a file, whole or not at all; a taken name gets a number. The extension for `ending` is added, or
   * replaces that of another document.
   * @param name plain, without a path
   */
  save(name: string, content: AsyncIterable<Uint8Array>, about: AboutContent): Promise<SavedFile>;
  /**
   * Opens a file.
   * @throws InputError for a name that is no file of this folder
   */
  open(name: string): Promise<OpenedFile>;
  /** Lists the newest 50 files, newest first; empty when there is no folder yet. */
  list(): Promise<ListedFile[]>;
}
