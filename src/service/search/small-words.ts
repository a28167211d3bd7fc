/** Words that say little by themselves, and those that say that something is to be done. */

import { wordsOf } from './words.ts';

/** They say how something is asked, not what for. */
export const stopWords = new Set(
  `a about after again all also am amazon an and any are as at be because been before being between but by can could day
  days did do does doing each for from had has have having hello help her his how however i if in into is it its just last
  latest let many me might month months more most much must my myself need next now of old on one onto or our out over
  past per please recent same seller sellers should since so some than thank thanks that the their them then there these
  they this those through time to today tomorrow too two under until up us via want wants was way we week weeks were what
  when where which while who whom whose why will with within without would year years yesterday you your yours`.split(
    /\s+/,
  ),
);

export const verbs = new Set(
  wordsOf(
    `get list show see view find search look give tell fetch read check know change update edit modify set create add make
    new delete remove put use start go come took take work works happen like pay live detail details info information`,
  ),
);

export const commonNouns = new Set(wordsOf('product item thing'));

/** They say that something is to be done. */
export const actions = new Set(
  wordsOf(
    `change update edit modify adjust set correct fix raise lower increase reduce create add make new delete remove cancel
    put start stop send ship buy purchase book schedule confirm accept reject approve upload upgrade print generate write
    ask request submit publish turn switch activate deactivate connect link unlink rename split close open move pay withdraw
    transfer replenish restock mark reprice choose void subscribe unsubscribe message contact reply apply assign`,
  ),
);
