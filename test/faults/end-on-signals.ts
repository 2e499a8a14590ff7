/**
 * Ctrl-C ends a program of the harness early, with its report. A second Ctrl-C, or SIGTERM, ends it immediately, after
 * stopping servers that would outlive it.
 *
 * @param stop stops the servers
 * @returns aborted by the first Ctrl-C
 */
export function endOnSignals(stop: () => Promise<void>): AbortSignal {
  const early = new AbortController();
  const endAtOnce = (status: number) => {
    void stop().finally(() => process.exit(status));
  };
  process.on('SIGINT', () => {
    if (early.signal.aborted) endAtOnce(130);
    else early.abort();
  });
  process.once('SIGTERM', () => endAtOnce(143));
  return early.signal;
}
