/** Replaces four packages that pg loads: sockets of a cloud, files with passwords and addresses in one text are never asked for, and of types these are all that statements return. */

type Parser = (text: string) => unknown;

/** bool, int2, int4, float4 and float8; src/replicas/postgres.ts reads int8 itself. */
const PARSERS: Record<number, Parser> = {
  16: (text) => text === 't',
  21: Number,
  23: Number,
  700: Number,
  701: Number,
};

/** Reads texts as pg-types does. */
export const getTypeParser = (type: number): Parser => PARSERS[type] ?? String;
