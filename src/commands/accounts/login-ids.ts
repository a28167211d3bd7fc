/** The last part of `login`: the account is stored; which marketplace and which seller is meant? */

import {
  type AccountIds,
  type MarketplaceOffer,
  nameMarketplace,
  parseAccountIds,
  WHERE_THE_SELLER_ID_IS,
  WITHOUT_MARKETPLACE,
  WITHOUT_SELLER_ID,
} from '../../credentials/account-ids.ts';
import type { StoredAccount } from '../../credentials/types.ts';
import { CancelledError } from '../../errors.ts';
import type { Outside } from '../../runtime/outside.ts';
import { findMarketplace } from '../../service/facts/find-marketplace.ts';
import { ask } from '../line/ask.ts';

/** What is missing of the two, asked at the terminal. @throws CancelledError that says what is stored */
export async function askForIds(
  account: StoredAccount,
  offer: MarketplaceOffer,
  io: Outside,
): Promise<AccountIds> {
  const secrets = [account.clientSecret, account.refreshToken];
  try {
    const marketplaceId = account.marketplaceId ?? (await askForMarketplace(offer, secrets, io));
    const sellerId = account.sellerId ?? (await askForSellerId(secrets, io));
    return { sellerId, marketplaceId };
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error;
    throw new CancelledError(
      'Cancelled. The credentials are stored; marketplace and seller ID are as they were given.',
      'To add them: run login again with --seller-id and --marketplace-id.',
    );
  }
}

/** Without a terminal: the only marketplace of the account is taken, of several none, and both is told. */
export function pickMarketplace(
  { marketplaces, isOwn, failure }: MarketplaceOffer,
  io: Pick<Outside, 'stderr'>,
): string | undefined {
  if (!isOwn) {
    if (failure !== undefined) io.stderr(`The marketplaces were not found out: ${failure}\n`);
    return undefined;
  }
  const [first, ...others] = marketplaces;
  if (others.length === 0) return first?.id;
  const names = marketplaces.map(nameMarketplace).join(', ');
  io.stderr(`Marketplaces of this account: ${names}. To choose one, add --marketplace-id.\n`);
  return undefined;
}

async function askForMarketplace(
  { marketplaces, isOwn, failure }: MarketplaceOffer,
  secrets: readonly string[],
  io: Outside,
): Promise<string | undefined> {
  if (failure !== undefined) io.stderr(`The marketplaces were not found out: ${failure}\n`);
  const lines = marketplaces.map((choice, index) => `  ${index + 1}  ${nameMarketplace(choice)}\n`);
  const title = isOwn ? 'Marketplaces of this account:' : 'Marketplaces of the region:';
  if (lines.length > 0) io.stderr(`${title}\n${lines.join('')}`);
  const prompt = marketplacePrompt(marketplaces.length, isOwn);
  for (;;) {
    const answer = await ask({ prompt }, io);
    const chosen = readChoice(answer, marketplaces, isOwn, secrets);
    if (chosen.ok && chosen.id === undefined) io.stderr(`${WITHOUT_MARKETPLACE}\n`);
    if (chosen.ok) return chosen.id;
    io.stderr(`${chosen.problem}\n`);
  }
}

function marketplacePrompt(count: number, isOwn: boolean): string {
  if (count === 0) return 'Marketplace, by country or ID (Enter for none):';
  const numbers = count === 1 ? '1' : `1 to ${count}`;
  return isOwn
    ? `Marketplace used where a question names none (${numbers}; Enter for 1, 0 for none):`
    : `Marketplace used where a question names none (${numbers}; Enter for none):`;
}

type Choice = { ok: true; id: string | undefined } | { ok: false; problem: string };

/** The ID of what was typed, where it is one, or the name or code of a country. */
function idOf(answer: string): string {
  const found = findMarketplace(answer);
  return found.kind === 'known' ? found.marketplace.id : answer.toUpperCase();
}

/** A number of the list, a country, or an ID. */
function readChoice(
  answer: string,
  marketplaces: MarketplaceOffer['marketplaces'],
  isOwn: boolean,
  secrets: readonly string[],
): Choice {
  if (answer === '') return { ok: true, id: isOwn ? marketplaces[0]?.id : undefined };
  if (answer === '0') return { ok: true, id: undefined };
  const isNumber = marketplaces.length > 0 && /^\d{1,3}$/.test(answer);
  const listed = isNumber
    ? marketplaces[Number(answer) - 1]
    : marketplaces.find(({ id }) => id === idOf(answer));
  if (listed !== undefined) return { ok: true, id: listed.id };
  if (marketplaces.length > 0 && (isNumber || isOwn)) {
    return { ok: false, problem: `Please type a number from 0 to ${marketplaces.length}.` };
  }
  const checked = parseAccountIds({ marketplaceId: answer }, secrets);
  if (checked.ok) return { ok: true, id: checked.value.marketplaceId };
  return { ok: false, problem: `${checked.problems[0]?.message}.` };
}

/** Left out on purpose only: the first Enter tells what does not work then. */
async function askForSellerId(secrets: readonly string[], io: Outside): Promise<string | undefined> {
  io.stderr(`The seller ID is needed to read and change listings. ${WHERE_THE_SELLER_ID_IS}\n`);
  let isTold = false;
  for (;;) {
    const sellerId = await ask({ prompt: 'Seller ID:' }, io);
    if (sellerId === '' && isTold) return undefined;
    const checked = parseAccountIds({ sellerId }, secrets);
    if (sellerId === '') {
      io.stderr(`${WITHOUT_SELLER_ID} Type it, or press Enter again to go on without it.\n`);
      isTold = true;
    } else if (checked.ok) return checked.value.sellerId;
    else io.stderr(`${checked.problems[0]?.message}.\n`);
  }
}
