/** Returns what to throw after an abort: the signal's reason. */
function abortReason(signal: AbortSignal): unknown {
  return signal.reason ?? new DOMException('The operation was aborted', 'AbortError');
}

/**
 * Waits for a promise until the signal aborts or the time is up.
 *
 * @param ms time limit; undefined for none
 * @param onTimeout creates the error when the time is up
 * @throws the signal's reason immediately when it aborts
 */
export async function waitFor<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  ms: number | undefined,
  onTimeout: () => Error,
): Promise<T> {
  // An abandoned promise must not end as an unhandled rejection.
  promise.catch(() => undefined);
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
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

/** Waits for a time. @throws the signal's reason when it aborts */
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

/**
 * Returns a signal that aborts when the time is up or another signal aborts. On Node 20,
 * `AbortSignal.any([signal, AbortSignal.timeout(ms)])` never aborts once garbage was collected.
 */
export function timeLimit(ms: number, signal?: AbortSignal): AbortSignal {
  const limit = new AbortController();
  if (signal?.aborted) {
    limit.abort(abortReason(signal));
    return limit.signal;
  }
  const onAbort = () => {
    clearTimeout(timer);
    limit.abort(abortReason(signal!));
  };
  // The timer's callback keeps the controller alive; `unref` lets the process end before the time limit.
  const timer = setTimeout(() => {
    signal?.removeEventListener('abort', onAbort);
    limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, ms).unref();
  signal?.addEventListener('abort', onAbort, { once: true });
  return limit.signal;
}

/** Returns whether a signal of `timeLimit` aborted because its time was up. */
export const isOver = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && (reason as { name?: unknown } | null)?.name === 'TimeoutError';
