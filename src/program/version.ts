/** The program's version, read from its single definition. */

import { version } from '../../package.json';

export const VERSION: string = version;
