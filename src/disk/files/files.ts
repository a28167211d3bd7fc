/** The shapes of the one folder of the person's: what is saved into it, and what is read from it. */

/** A file that was just saved, whole. */
export interface SavedFile {
  /** With its ending, and its number where the name was taken: `labels (2).pdf`. */
  name: string;
  /** Absolute, for the person. */
  path: string;
  bytes: number;
  /** `seller://files/labels%20(2).pdf` */
  uri: string;
}

/** What a tool knows of the content that it saves. */
interface AboutContent {
  /** What the content is, without a dot: `pdf`. One that is not known as harmless becomes `txt` or `dat`. */
  ending?: string;
  /** False only where nothing in it can be about a buyer: the assistant may then read it, even while masking. */
  personal: boolean;
  /** How many bytes will come, where that is known: the disk is asked before the first of them. */
  bytes?: number;
}

/** A file for an upload; nothing is held open between the readings. */
export interface OpenedFile {
  name: string;
  /** By its ending. */
  isText: boolean;
  path: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modified: number;
  /** False where this session saved it and said so; what is unchanged since then. */
  personal: boolean;
  /** From the beginning, each time. @throws InputError, also in the middle, when it is no longer what was opened */
  read(): AsyncIterable<Uint8Array>;
}

export interface ListedFile {
  name: string;
  uri: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modified: number;
}

/** Of one session. Every failure is an InputError (the name) or a ConfigError (folder, disk) that gives the next step. */
export interface FilesFolder {
  /** Absolute path; nothing is made. */
  folder(): Promise<string>;
  /**
   * Whole or not at all; a taken name gets a number. `ending` by content is added, or takes the place of another
   * document's.
   * @param name plain, without a path
   */
  save(name: string, content: AsyncIterable<Uint8Array>, about: AboutContent): Promise<SavedFile>;
  /** @throws InputError for what is no file of this folder */
  open(name: string): Promise<OpenedFile>;
  /** The newest 50, newest first; empty where there is no folder yet. */
  list(): Promise<ListedFile[]>;
}
