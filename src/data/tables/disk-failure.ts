/** Explains system errors about the folder of the tables, with the next step. */

import { AppError, ConfigError, codeOf } from '../../base/errors.ts';

/** The system's error codes for a folder or disk that accepts no more data. */
const DISK = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EIO']);

/** Returns any other error unchanged. */
export function explainDisk(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof AppError || !DISK.has(code)) return error;
  return diskIsFull(`The folder of collected tables is full, or cannot be written (${code}).`, {
    cause: error,
  });
}

export function diskIsFull(message: string, options?: ErrorOptions): ConfigError {
  return new ConfigError(
    message,
    'Make room, remove collections (seller-commerce-mcp data), or name another folder with --data-dir (SELLER_DATA_DIR).',
    options,
  );
}
