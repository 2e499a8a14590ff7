const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts at the first Ctrl-C (or SIGTERM, or when the terminal closes); later ones change nothing. */
export function abortOnSignal(say: (message: string) => void): AbortSignal {
  const controller = new AbortController();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      say(controller.signal.aborted ? 'still stopping …' : 'stopping …');
      controller.abort();
    });
  }
  return controller.signal;
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
