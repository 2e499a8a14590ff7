import { setTimeout as delay } from 'node:timers/promises';

const ANSWER_MS = 3_000;
/** Trouble that is over sooner is not worth a word. */
const PATIENCE_MS = 4_000;

/** When a service is looked at, in milliseconds. */
export interface WatchTimes {
  /** From the start to the first look: the work of a command comes first. */
  first: number;
  /** From one look to the next. */
  pause: number;
  now: () => number;
}

const TIMES: WatchTimes = { first: 1_000, pause: 2_000, now: () => performance.now() };

/** What a person can look at when a part of the service is down. */
const PARTS: Record<string, string> = {
  postgres: 'PostgreSQL does not answer',
  queue: 'the queue does not answer',
  store: 'the object store does not answer',
};

/**
 * Looks every two seconds whether a service can be used; says within ten that it cannot, and why, and when it can again.
 *
 * @param url of the gateway
 * @param times replaced by tests
 * @returns a function that ends the watching
 */
export function watchService(
  url: string,
  say: (message: string) => void,
  times = TIMES,
): () => Promise<void> {
  const stopping = new AbortController();
  const watched = watch(url, say, stopping.signal, times);
  return async () => {
    stopping.abort();
    await watched;
  };
}

async function watch(
  url: string,
  say: (message: string) => void,
  signal: AbortSignal,
  { first, pause, now }: WatchTimes,
): Promise<void> {
  let since: number | undefined;
  let told = false;
  await delay(first, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    const trouble = await troubleOf(url, signal);
    if (signal.aborted) return;
    if (trouble === undefined) {
      if (told) say('the service can be used again');
      since = undefined;
      told = false;
    } else {
      since ??= now();
      if (!told && now() - since >= PATIENCE_MS) {
        say(`${trouble}. The run waits until that is mended and then goes on; nothing is lost`);
        told = true;
      }
    }
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
}

/** What is wrong with a service; undefined when it is ready. */
async function troubleOf(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const response = await fetch(`${url}/api/health/ready`, { signal: limit });
    const { checks = {} } = (await response.json()) as { checks?: Record<string, string> };
    const down = Object.entries(PARTS).filter(([part]) => checks[part] === 'down');
    if (response.ok || down.length === 0) return undefined;
    return down.map(([, sentence]) => sentence).join(', ');
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return `${url} cannot be reached (${name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? name)})`;
  }
}
