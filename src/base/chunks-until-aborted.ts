/** Streams the chunks of a file until the caller aborts; saving then fails and leaves no file. */

/**
 * Yields the chunks.
 * @throws the reason of the aborted signal
 */
export async function* chunksUntilAborted(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}
