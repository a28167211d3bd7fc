/** The keychain child on its own, as main.ts starts it, but without the handshake: tests ask it from a shell too. */

import { runKeychainChild } from '../../src/accounts/keychain/keychain-child.ts';

process.exit(await runKeychainChild(process.stdin, process.stdout));
