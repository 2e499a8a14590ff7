import type { ProblemDetails } from '#contracts/errors.js';
import { CliError } from '../cli-error.js';
import { multipartBody, type Part } from './multipart.js';
import type {
  CallOptions,
  Method,
  OperationOf,
  OptionalArgument,
  PathOf,
  QueryParameters,
  ResponseOf,
} from './operation-types.js';

/** The options of any call, as they are sent. */
interface AnyOptions {
  params?: Record<string, string>;
  query?: QueryParameters;
  json?: unknown;
  parts?: Part[];
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Milliseconds until a JSON endpoint has to answer; uploads and downloads may take longer. */
const JSON_TIMEOUT_MS = 30_000;

/**
 * The REST API by method and path; parameters, bodies and answers are typed by the endpoint catalogue. Every failure is a
 * CliError with the problem's detail.
 */
export class ApiClient {
  /**
   * @param url the gateway's base URL, without a trailing slash
   * @param key an API key, `scr_…`
   */
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  /** Calls an operation that answers with JSON. */
  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...given: OptionalArgument<CallOptions<OperationOf<M, P>>>
  ): Promise<ResponseOf<OperationOf<M, P>>> {
    const [options = {}]: [AnyOptions?] = given;
    const signal = options.signal ?? (options.parts ? undefined : AbortSignal.timeout(JSON_TIMEOUT_MS));
    const response = await this.request(method, path, { ...options, signal });
    return (await response.json()) as ResponseOf<OperationOf<M, P>>;
  }

  /** Calls an operation and hands over the response, which is not an error, with its body unread. */
  async open<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...given: OptionalArgument<CallOptions<OperationOf<M, P>>>
  ): Promise<Response> {
    return this.request(method, path, ...given);
  }

  private async request(method: Method, path: string, options: AnyOptions = {}): Promise<Response> {
    const url = new URL(`${this.url}${fill(path, options.params ?? {})}`);
    for (const [key, value] of Object.entries(options.query ?? {}))
      if (value !== undefined) url.searchParams.set(key, String(value));
    const response = await this.send(url, {
      method,
      signal: options.signal,
      ...bodyOf(options, { authorization: `Bearer ${this.key}`, ...options.headers }),
    });
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  private async send(url: URL, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, init);
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') throw new CliError(`${this.url} did not answer in time.`);
      if ((error as Error).name === 'AbortError') throw error;
      throw new CliError(`${this.url} cannot be reached (${reasonOf(error)}).`);
    }
  }
}

function fill(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function bodyOf({ json, parts }: AnyOptions, headers: Record<string, string>): RequestInit {
  if (parts !== undefined) {
    const { contentType, body } = multipartBody(parts);
    return { headers: { ...headers, 'content-type': contentType }, body, duplex: 'half' } as RequestInit;
  }
  if (json === undefined) return { headers };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(json) };
}

/** A problem's detail with the fields that it names, or at least the status. */
async function problemOf(response: Response): Promise<CliError> {
  const text = await response.text();
  try {
    const { detail, code, errors } = JSON.parse(text) as ProblemDetails;
    if (typeof detail !== 'string') throw new TypeError('no problem details');
    const fields = (errors ?? []).map(({ path, message }) => `${path}: ${message}`).join('; ');
    return new CliError(fields === '' ? detail : `${detail} (${fields})`, code);
  } catch {
    return new CliError(
      `${new URL(response.url).origin} answered ${response.status}: is this a Scriptorium?`,
    );
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
  return cause?.code ?? cause?.message ?? message;
}
