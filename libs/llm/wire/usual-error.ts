import { isObject } from '#contracts/lenient.js';
type Fields = Record<string, unknown>;

/** Maximum length of a router's quotation from its provider, in characters. */
const MAX_QUOTED = 2_000;

/**
 * Returns the body of an error response in OpenAI's form, `{"error": {"message": …}}`, the only one that OpenAI's
 * client reads. Servers send a list of one error, `error` as a text, the fields on the top level, `detail` or `errors`,
 * or another form. Details, and texts that a router quotes from its provider, become part of the message. A text that
 * is not JSON is returned unchanged.
 */
export function usualError(body: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return body;
  }
  const found = errorIn(Array.isArray(parsed) ? parsed[0] : parsed);
  return found === null ? body : JSON.stringify({ error: found });
}

function errorIn(value: unknown): Fields | null {
  if (!isObject(value)) return null;
  const { error, message, detail = value['errors'] } = value;
  if (isObject(error)) return withQuoted(error);
  if (typeof error === 'string') return { ...value, message: `${error}${loadingTime(value)}` };
  if (message !== undefined) return value;
  return { message: detail === undefined ? JSON.stringify(value) : textOfDetail(detail) };
}

/** Returns the time to load a model, which Hugging Face reports outside the message. */
const loadingTime = ({ estimated_time: seconds }: Fields): string =>
  typeof seconds === 'number' ? ` (retry in ${seconds}s)` : '';

/** Adds the provider's message, which OpenRouter quotes as `metadata.raw`, or the details of Gemini. */
function withQuoted(error: Fields): Fields {
  const { message, metadata, details } = error;
  const raw = isObject(metadata)
    ? metadata['raw']
    : Array.isArray(details)
      ? JSON.stringify(details)
      : undefined;
  if (typeof raw !== 'string') return error;
  return { ...error, message: `${typeof message === 'string' ? message : ''} ${raw.slice(0, MAX_QUOTED)}` };
}

/** FastAPI names what is wrong with each field: `[{"loc": ["body", "tools"], "msg": "…"}]`. */
function textOfDetail(detail: unknown): string {
  if (typeof detail === 'string') return detail;
  if (!Array.isArray(detail)) return JSON.stringify(detail);
  return detail
    .map((item: unknown) => {
      if (!isObject(item)) return String(item);
      const { loc, msg } = item;
      return `${Array.isArray(loc) ? loc.join('.') : ''}: ${typeof msg === 'string' ? msg : JSON.stringify(item)}`;
    })
    .join('; ');
}
