/** What to do instead where no operation is the answer: another tool, a command, another service. */

import { commandLine, hasCommandLine, howToLogin } from '../../invocation.ts';
import { LISTING_LOOKUPS } from '../facts/listing-lookups.ts';
import { holdsPhrase } from './query.ts';

interface OtherAnswer {
  /** Any of these phrases, whatever the endings; small words may stand in between. */
  asked: readonly string[];
  answer(): string;
}

const otherAnswers: readonly OtherAnswer[] = [
  {
    asked: [
      'undo',
      'revert',
      'roll back',
      'rollback',
      'restore',
      'reverse',
      'take back a change',
      'change history',
      'history of changes',
      'history of writes',
      'journal',
      'audit log',
      'audit trail',
      'what did change',
      'what changed',
      'what was changed',
      'last change',
      'recent changes',
      'who changed',
    ],
    answer: () =>
      `No operation undoes a write or lists past ones: read the present state and write the former values. What this server wrote is in its journal${hasCommandLine() ? `, which a person sees with \`${commandLine('history')}\`` : ' on this computer'}.`,
  },
  {
    asked: [
      'exchange token',
      'refresh token',
      'access token',
      'new token',
      'check credentials',
      'test credentials',
    ],
    answer: () =>
      'exchange_token gets a new access token and shows whether the credentials work; every other tool gets its own.',
  },
  {
    asked: [
      'login',
      'log in',
      'sign in',
      'enter credentials',
      'add account',
      'connect account',
      'set up account',
    ],
    answer: () => `To give this server the credentials of an account, a person has to ${howToLogin()}.`,
  },
  {
    asked: [
      'opening hours',
      'operating hours',
      'store hours',
      'business hours',
      'opening times',
      'warehouse hours',
      'update store',
      'change store',
      'edit store',
      'update supply source',
      'change supply source',
      'edit supply source',
    ],
    answer: () =>
      'update_supply_source changes opening hours and other settings of a store or warehouse, and shows first what would change.',
  },
  {
    asked: [
      'all listings',
      'all my listings',
      'my listings',
      'which listings',
      'whole catalog',
      'review listings',
      'suppressed listings',
      'listings with problems',
      'listings with issues',
      'what is wrong',
      'listing issues',
      'listing problems',
      'search suppressed',
      'hidden from search',
      'suppressed',
    ],
    answer: () => `What is wrong with listings, explained: ${LISTING_LOOKUPS}`,
  },
  {
    asked: ['catalog item', 'catalog lookup', 'item by ASIN', 'catalog v0'],
    answer: () =>
      'get_catalog_item looks up one ASIN in the withdrawn v0 form; the current one is catalog-items/getCatalogItem.',
  },
  {
    asked: [
      'documentation',
      'docs',
      'how to call',
      'how to use',
      'example call',
      'what parameters',
      'which parameters',
    ],
    answer: () => 'describe_operation shows the parameters, the body and an example call of any operation.',
  },
  {
    asked: [
      'dry run',
      'without changing',
      'before sending',
      'preview a change',
      'test a change',
      'try a change',
    ],
    answer: () =>
      'write_operation with dryRun true shows what a write would send and change, and sends nothing.',
  },
  {
    asked: ['advertising', 'advertise', 'ad', 'PPC', 'sponsored', 'campaign'],
    answer: () =>
      'Advertising campaigns belong to another service, which this server does not call; what ads cost is in the financial events.',
  },
  {
    asked: ['coupon', 'voucher', 'promo code', 'lightning deal', 'promotion', 'deal'],
    answer: () =>
      'No operation creates coupons or deals; a sale price with its dates is part of a listing (listings-items/patchListingsItem).',
  },
];

/** For what somebody searches for; empty for most. */
export function findOtherAnswers(text: string): string[] {
  return otherAnswers
    .filter(({ asked }) => asked.some((phrase) => holdsPhrase(text, phrase)))
    .map(({ answer }) => answer());
}
