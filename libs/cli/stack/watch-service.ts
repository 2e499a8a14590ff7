import { phrase, type PhraseCode } from '#contracts/phrases/phrase.js';
import { timeLimit } from '#contracts/wait.js';
import { translate } from '../language.js';
import { setTimeout as delay } from 'node:timers/promises';

const ANSWER_MS = 3_000;
/** Shorter outages are not reported. */
const REPORT_AFTER_MS = 3_000;

/** Times of polling, in milliseconds. */
interface WatchTimes {
  /** Delay of the first poll, so that it does not compete with the start of a command. */
  first: number;
  /** Delay between polls of a service that is ready. */
  pause: number;
  /** Delay between polls of a service that is not ready. */
  retry: number;
  now: () => number;
}

const TIMES: WatchTimes = { first: 1_000, pause: 5_000, retry: 1_000, now: () => performance.now() };

/** Message by part of the service that is down. */
const PARTS: Record<string, PhraseCode & `service_trouble.${string}`> = {
  postgres: 'service_trouble.postgres',
  queue: 'service_trouble.queue',
  store: 'service_trouble.store',
};

/**
 * Polls every five seconds whether a service is ready. Reports an outage and its cause within ten seconds, and
 * later its end.
 *
 * @param url of the gateway
 * @param times replaced by tests
 * @returns a function that stops the polling
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
  { first, pause, retry, now }: WatchTimes,
): Promise<void> {
  let since: number | undefined;
  let isReported = false;
  await delay(first, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    const asked = now();
    const trouble = await troubleOf(url, signal);
    if (signal.aborted) return;
    if (trouble === undefined) {
      if (isReported) say(translate(phrase('service_trouble.over')));
      since = undefined;
      isReported = false;
    } else {
      since ??= asked;
      if (!isReported && now() - since >= REPORT_AFTER_MS) {
        say(translate(phrase('service_trouble.paused', { trouble })));
        isReported = true;
      }
    }
    await delay(trouble === undefined ? pause : retry, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns why a service is not ready; undefined if it is, or if only unknown parts are down. */
async function troubleOf(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const limit = timeLimit(ANSWER_MS, signal);
    const response = await fetch(`${url}/api/health/ready`, { signal: limit });
    const { checks = {} } = (await response.json()) as { checks?: Record<string, string> };
    const down = Object.entries(PARTS).filter(([part]) => checks[part] === 'down');
    if (response.ok || down.length === 0) return undefined;
    return down.map(([, code]) => translate({ code, params: {} })).join(', ');
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    const reason = name === 'TimeoutError' ? phrase('service_trouble.no_response') : (cause?.code ?? name);
    return translate(phrase('service_trouble.unreachable', { url, reason }));
  }
}
