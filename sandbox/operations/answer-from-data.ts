/** Answers the operations of answers.yaml: finds what each is about, filters it, cuts it into pages and renders the answer. */

import { type Call, ok } from '../answer.ts';
import type { Handler, Played } from '../router.ts';
import { readPath, render, type Shapes, type Template } from '../template.ts';
import type { World } from '../world/world.ts';
import { SETTLING_MS } from './find-orders.ts';
import { answers } from './generated/answers.ts';
import {
  findPageStart,
  fits,
  isWithin,
  namesOf,
  readFilledList,
  readInteger,
  readList,
  readSpan,
  refuseChoices,
  refuseUnplayed,
} from './query.ts';
import { ROWS } from './rows.ts';

interface OperationFacts {
  rows: keyof typeof ROWS;
  /** Parameters that it takes; all of the operation's where absent. */
  takes?: readonly string[];
  /** Values of parameters, where the facts of the service leave them open. */
  choices?: Readonly<Record<string, readonly string[]>>;
  /** Parameters that need a value. */
  needs?: readonly string[];
  /** The member of a row that has one of the parameter's values, by parameter. */
  filters?: Readonly<Record<string, string>>;
  /** The member with the moment of a row in milliseconds, by the name before `After` and `Before`. */
  spans?: Readonly<Record<string, string>>;
  page?: { size?: string; most: number; otherwise?: number; lifetimeSeconds?: number };
  answer: Template;
}

/** The answers that are reviewed in answers.yaml. */
export interface Answers {
  shapes: Shapes;
  operations: Readonly<Record<string, OperationFacts>>;
}

const ELEMENTS = ['buyerInfo', 'shippingAddress', 'buyerTaxInformation'];

export const playAnswers = (world: World): Played =>
  Object.fromEntries(Object.entries(answers.operations).map(([id, facts]) => [id, handlerOf(world, facts)]));

function handlerOf(world: World, facts: OperationFacts): Handler {
  return (call) => {
    refuseUnplayed(call, facts.takes);
    refuseChoices(call, facts.choices);
    for (const name of facts.needs ?? []) readFilledList(call.query, name);
    return ok(render(facts.answer, findScopes(world, facts, call), answers.shapes));
  };
}

/** Names are those of the page or of the one thing that was found, and those that every answer can use. */
function findScopes(world: World, { rows, filters = {}, spans = {}, page }: OperationFacts, call: Call) {
  const pageStart = page && findPageStart(call, (page.lifetimeSeconds ?? Infinity) * 1000);
  const query = pageStart?.query ?? call.query;
  const everywhere = {
    now: call.now,
    settledAt: call.now - SETTLING_MS,
    /** Parts that the call asks for, and elements of the buyer's data that its token opens. */
    has: Object.fromEntries(readList(query, 'includedData').map((part) => [part, true])),
    shows: Object.fromEntries(ELEMENTS.map((element) => [element, call.shows(element)])),
    query: Object.fromEntries(namesOf(call.operation).map((name) => [name, query.get(name) ?? undefined])),
  };
  const found = ROWS[rows](world, { ...call, query });
  if (pageStart === undefined || page === undefined) return [...found.slice(0, 1), everywhere];
  const { most, size, otherwise = most } = page;
  const isWanted = [
    ...Object.entries(filters).map(([name, path]) => {
      const [wanted, read] = [readList(query, name), readPath(path)];
      return (row: object) => fits(wanted, String(read([row])));
    }),
    ...Object.entries(spans).map(([name, path]) => {
      const [span, read] = [readSpan(query, name), readPath(path)];
      return (row: object) => isWithin(span, Number(read([row])));
    }),
  ];
  const { items, next } = pageStart.cut(
    found.filter((row) => isWanted.every((isRight) => isRight(row))),
    size === undefined ? most : readInteger(query, size, { most, otherwise }),
  );
  return [{ items, nextToken: next.nextToken }, everywhere];
}
