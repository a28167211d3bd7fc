/** The keychain child on its own, as main.ts starts it. */

import { runKeychainChild } from '../../src/credentials/keychain/keychain-child.ts';

process.exit(await runKeychainChild(process.stdin, process.stdout));
