import { phrase } from '#contracts/phrases/phrase.js';
import type { Paths } from '#catalogue/paths.js';
import type { ProblemDetails } from '#contracts/errors.js';
import createClient, { type Client } from 'openapi-fetch';
import { CliError } from '../cli-error.js';
import { renderText } from '../language.js';

/** Response time limit of JSON endpoints, in milliseconds; uploads and downloads are unlimited. */
const JSON_TIMEOUT_MS = 30_000;

/** The REST API, typed by the OpenAPI document. Every failure is a CliError with the problem's detail. */
export interface ApiClient extends Client<Paths> {
  /** The gateway's base URL, without a trailing slash. */
  readonly url: string;
}

/** Returns a client of the gateway at `url`. @param key an API key, `scr_…` */
export function createApiClient(url: string, key: string): ApiClient {
  const headers = { authorization: `Bearer ${key}` };
  return { ...createClient<Paths>({ baseUrl: url, headers, fetch: sendInTime }), url };
}

/** Options of a call without a time limit whose response is not parsed. */
export const OPEN_ENDED = { parseAs: 'stream', fetch: send } as const;

/**
 * Sends a request with a time limit. It replaces the signal of the call, because Node 20 may lose a limit
 * that `AbortSignal.any` combines with other signals.
 */
const sendInTime = (request: Request): Promise<Response> =>
  send(request, AbortSignal.timeout(JSON_TIMEOUT_MS));

/** Sends a request. @returns a response that is not an error @throws CliError */
export async function send(request: Request, signal = request.signal): Promise<Response> {
  const { origin } = new URL(request.url);
  const response = await fetch(request, { signal }).catch((error: Error) => {
    if (error.name === 'TimeoutError') throw new CliError(phrase('cli_error.no_response', { origin }));
    if (error.name === 'AbortError') throw error;
    throw new CliError(phrase('cli_error.unreachable', { origin, reason: reasonOf(error) }));
  });
  if (!response.ok) throw problemOf(response.status, await response.text(), origin);
  return response;
}

/** Returns an error with the problem's detail and fields, or with the status if the body is not a problem. */
function problemOf(status: number, text: string, origin: string): CliError {
  try {
    const { detail: english, phrase, code, errors } = JSON.parse(text) as Problem;
    if (typeof english !== 'string') throw new TypeError('no problem details');
    const detail = renderText(phrase, english);
    const fields = (errors ?? [])
      .map(({ path, message, phrase: known }) => `${path}: ${renderText(known, message)}`)
      .join('; ');
    return new CliError(fields === '' ? detail : `${detail} (${fields})`, code);
  } catch {
    return new CliError(phrase('cli_error.no_problem_details', { origin, status }));
  }
}

/** Problem details, which lack the phrase if the service is older. */
type Problem = Omit<ProblemDetails, 'phrase'> & Partial<Pick<ProblemDetails, 'phrase'>>;

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
  return cause?.code ?? cause?.message ?? message;
}
