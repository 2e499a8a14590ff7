/**
 * Returns how long to wait before a call is repeated, in ms: as `Retry-After` says (seconds or a date), OpenAI's
 * `retry-after-ms`, the reset time of an exhausted limit, or the words of the error. Undefined if nothing says it.
 */
export function retryAfter(headers: unknown, words: string): number | undefined {
  const given = headers instanceof Headers ? headers : new Headers();
  return fromHeader(given) ?? fromLimits(given) ?? fromWords(words);
}

function fromHeader(headers: Headers): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? NaN);
  if (exact >= 0) return exact;
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  return untilNow(Number.isNaN(seconds) ? Date.parse(value) : Date.now() + seconds * 1_000);
}

/** Names of limits: `x-ratelimit-reset-tokens`, `x-ratelimit-reset`, `anthropic-ratelimit-tokens-reset`. */
const RESET = /^(?:[a-z]{1,20}-)?ratelimit-(?:[a-z]{1,20}-)?reset(?:-[a-z]{1,20})?$/;

/** Returns when the last of the exhausted limits is reset. */
function fromLimits(headers: Headers): number | undefined {
  const waits = [...headers]
    .filter(([name]) => RESET.test(name) && headers.get(name.replace('reset', 'remaining')) === '0')
    .map(([, value]) => durationOf(value) ?? untilNow(timeOf(value)))
    .filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** A larger number is a time in ms since 1970, a smaller one in seconds, or a number of seconds from now. */
const LEAST_MS = 1e12;
const LEAST_SECONDS = 1e9;

function timeOf(value: string): number {
  const number = Number(value);
  if (Number.isNaN(number)) return Date.parse(value);
  if (number >= LEAST_MS) return number;
  return number >= LEAST_SECONDS ? number * 1_000 : Date.now() + number * 1_000;
}

/** "Try again in 1m7.5s", "retry after 12 seconds", and Gemini's `"retryDelay":"34s"`. */
const IN_WORDS =
  /(?:(?:try again|retry) (?:in|after) |"retryDelay":\s?")([0-9hms.]{1,20})(?: ?(milliseconds?|seconds?|minutes?|hours?)\b)?/i;

function fromWords(words: string): number | undefined {
  const [, amount = '', unit] = IN_WORDS.exec(words) ?? [];
  return durationOf(`${amount.replace(/\.$/, '')}${unit === undefined ? '' : unitOf(unit)}`);
}

const unitOf = (name: string): string =>
  name.toLowerCase().startsWith('milli') ? 'ms' : name[0]!.toLowerCase();

const UNIT = /ms|h|m|s/;
const MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Reads a duration such as `1m30s`, `7.66s` or `250ms`. */
function durationOf(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|h|m|s)){1,4}$/.test(text)) return undefined;
  const amounts = text.split(UNIT).map(Number);
  const units = text.match(new RegExp(UNIT, 'g')) ?? [];
  return units.reduce((sum, unit, at) => sum + amounts[at]! * MS[unit]!, 0);
}

function untilNow(time: number): number | undefined {
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}
