import type { Paths } from '#contracts/api/paths.js';
import type { ProblemDetails } from '#contracts/errors.js';
import createClient, { type Client } from 'openapi-fetch';
import { CliError } from '../cli-error.js';

/** Milliseconds until a JSON endpoint has to answer; uploads and downloads may take longer. */
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

/** Options of a call that may take any time, and whose response is left unread. */
export const OPEN_ENDED = { parseAs: 'stream', fetch: send } as const;

/** The time limit replaces the signal of the call: Node 20 loses time limits that `AbortSignal.any` joins with others. */
const sendInTime = (request: Request): Promise<Response> =>
  send(request, AbortSignal.timeout(JSON_TIMEOUT_MS));

/** Sends a request. @returns a response that is not an error @throws CliError */
export async function send(request: Request, signal = request.signal): Promise<Response> {
  const { origin } = new URL(request.url);
  const response = await fetch(request, { signal }).catch((error: Error) => {
    if (error.name === 'TimeoutError') throw new CliError(`${origin} did not answer in time.`);
    if (error.name === 'AbortError') throw error;
    throw new CliError(`${origin} cannot be reached (${reasonOf(error)}).`);
  });
  if (!response.ok) throw problemOf(response.status, await response.text(), origin);
  return response;
}

/** A problem's detail with the fields that it names, or at least the status. */
function problemOf(status: number, text: string, origin: string): CliError {
  try {
    const { detail, code, errors } = JSON.parse(text) as ProblemDetails;
    if (typeof detail !== 'string') throw new TypeError('no problem details');
    const fields = (errors ?? []).map(({ path, message }) => `${path}: ${message}`).join('; ');
    return new CliError(fields === '' ? detail : `${detail} (${fields})`, code);
  } catch {
    return new CliError(`${origin} answered ${status}: is this a Scriptorium?`);
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
  return cause?.code ?? cause?.message ?? message;
}
