/** Pieces of a file until somebody wants it no longer: what is saved of them then fails, and leaves nothing. */

/** @throws what the signal was aborted with */
export async function* piecesUntilAborted(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}
