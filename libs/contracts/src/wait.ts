/** What an abort is thrown as: the signal's own reason. */
export function abortReason(signal: AbortSignal): unknown {
  return signal.reason ?? new DOMException('The operation was aborted', 'AbortError');
}

/**
 * Waits for a promise, but no longer than until the signal aborts or the time is up.
 *
 * @param onTimeout makes the error when the time is up
 * @throws the signal's reason at once when it aborts
 */
export async function waitFor<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  ms: number | undefined,
  onTimeout: () => Error,
): Promise<T> {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  // The loser of the race must not end as an unhandled rejection.
  promise.catch(() => undefined);
  const limits = new Promise<never>((_, reject) => {
    if (ms !== undefined) timer = setTimeout(() => reject(onTimeout()), ms);
    onAbort = () => reject(abortReason(signal as AbortSignal));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, limits]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
}

/** Pauses for a time, or until the signal aborts, which is thrown. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const pausing = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await waitFor(pausing, signal, undefined, () => new Error());
  } finally {
    clearTimeout(timer);
  }
}
