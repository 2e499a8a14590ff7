/** Words for what a prompt consists of. */
const CONTENT = /token|context|prompt|\binputs?\b|\blength\b|kontext|输入|上下文|长/i;
/** Words for too much of it. */
const TOO_MUCH =
  /exceed|less than|m[aá]xim|\blimit|too (?:long|large|many|big|small)|(?:long|larg|great)er than|at most|<=|≤|\d > \d|\bfit\b|overflow|range of|(?:is|of) only|reached|shorten|reduce the length|超|过长/i;
/** Words of refusals that measure the length of an answer or a parameter, unless they also name the prompt. */
const OTHER_LENGTH =
  /max_(?:completion_|output_|new_)?tokens|(?:completion|output) tokens|\btools?\b|schema|string too long/i;
const PROMPT = /prompt|context (?:length|window|size|limit)|messages\b(?![.[])|\binputs?\b/i;
/** Words of refusals that are about a value, the time or the rate of requests. */
const OTHER_LIMIT = /input should be|deadline|per[ -]minute|rate.?limit/i;

/** Status of a request that a server cannot serve as it is; some refuse long prompts with 500. */
const ABOUT_REQUEST = new Set<unknown>([undefined, 400, 413, 422, 500]);
/** Characters of a request that may be too long for a model with a small window. */
const LONG_REQUEST = 12_000;

/**
 * Returns whether a request was refused because its prompt is too long for the model, or for one request. Servers
 * say so in many words, or give no reason at all.
 *
 * @param size characters of the request, 0 if unknown
 */
export function saysPromptTooLong(status: unknown, words: string, size: number): boolean {
  if (status === 413) return true;
  // If one request has more tokens than a minute allows, waiting does not help.
  if (status === 429) return /too (?:large|long)|context length/i.test(words);
  if (!ABOUT_REQUEST.has(status) || OTHER_LIMIT.test(words)) return false;
  if (status === 400 && words.includes('(no body)')) return size >= LONG_REQUEST;
  const isOther = OTHER_LENGTH.test(words) && !PROMPT.test(words);
  return CONTENT.test(words) && TOO_MUCH.test(words) && !isOther;
}

/** A number after a word for a limit, or before `maximum`. */
const NAMED_LIMIT =
  /(?:m[aá]xim|\bmax(?!_(?:new_|completion_|output_)?tokens)|limit|context|window|allowed|at most|only|less than|up to|exceed|than|range|[<>≤])[^\d\n]{0,40}(?:\[\d, )?(\d[\d,._]{2,12})( ?k\b)?|(\d[\d,._]{2,12})(?= maximum)/gi;
const LEAST_WINDOW = 512;

/** Returns the window in tokens that a refusal names; undefined if it names none. */
export function namedWindow(words: string): number | undefined {
  const numbers = [...words.matchAll(NAMED_LIMIT)]
    .map(([, after = '', thousands, before = after]) => {
      const number = Number(before.replace(/\D/g, ''));
      return thousands ? number * 1_024 : number;
    })
    .filter((number) => number >= LEAST_WINDOW);
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

/** Messages of servers, with any status, if the account has no credit. */
const NO_CREDIT =
  /insufficient.quota|exceeded your current quota|billing|credit balance is too low|insufficient (?:balance|credits)/i;

/** Messages with status 400 if the key is wrong. */
const WRONG_KEY =
  /(?:invalid|incorrect|wrong|malformed) api.?key|api.?key (?:is )?(?:not valid|invalid|expired)/i;

/** Messages with status 400 or 404 if the server does not have the model. */
const MODEL_UNKNOWN =
  /model not (?:exist|found)|not a valid model|(?:no such|unknown|invalid) model\b|model \S{1,80} (?:does not exist|not found)/i;

/** Messages with status 400 or 403 if a filter refuses the prompt. */
const PROMPT_REFUSED = /(?:input|prompt|request|content) (?:was|is|has been) (?:flagged|blocked)/i;

/** Messages with status 400 or 403 if a rate limit is exceeded. */
const TOO_FAST =
  /rate.?limit (?:exceeded|reached)|(?:exceeded|reached)[^\n]{0,20}rate.?limit|too many requests|throttl/i;

export const saysTooFast = (words: string): boolean => TOO_FAST.test(words);
export const saysNoCredit = (words: string): boolean => NO_CREDIT.test(words);
export const saysWrongKey = (words: string): boolean => WRONG_KEY.test(words);
export const saysModelUnknown = (words: string): boolean => MODEL_UNKNOWN.test(words);
export const saysPromptRefused = (words: string): boolean => PROMPT_REFUSED.test(words);

/** Returns whether a server refused what the model wrote, not what the request asked for. */
export const saysModelsMistake = (code: unknown, words: string): boolean =>
  /^(?:tool_use|json_validate)_failed$/.test(String(code)) || words.includes('failed_generation');
