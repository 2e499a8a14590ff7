import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 2_000;
/** The work of a command comes first. */
const FIRST_LOOK_MS = 1_000;
const ANSWER_MS = 3_000;
/** Trouble that is over sooner is not worth a word. */
const PATIENCE_MS = 4_000;

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
 * @returns how to end the looking
 */
export function watchService(url: string, say: (message: string) => void): () => Promise<void> {
  const stopping = new AbortController();
  const watched = watch(url, say, stopping.signal);
  return async () => {
    stopping.abort();
    await watched;
  };
}

async function watch(url: string, say: (message: string) => void, signal: AbortSignal): Promise<void> {
  let since: number | undefined;
  let told = false;
  await delay(FIRST_LOOK_MS, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    const trouble = await troubleOf(url, signal);
    if (signal.aborted) return;
    if (trouble === undefined) {
      if (told) say('the service can be used again');
      since = undefined;
      told = false;
    } else {
      since ??= Date.now();
      if (!told && Date.now() - since >= PATIENCE_MS) {
        say(`${trouble}. The run waits until that is mended and then goes on; nothing is lost`);
        told = true;
      }
    }
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
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
