import { withoutByteOrderMark } from '#contracts/text.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { ToolsSettings } from '#config/settings.js';
import type { Resolver } from '#egress/destination.js';
import { downloadFailure, PageDownload } from '#egress/page-download.js';
import { ExtractionError } from '#extraction/errors.js';
import type { ExtractionPool } from '#kit/runtime/extraction-pool.js';
import { sanitizeServerText } from '../mcp/sanitize-server-text.js';
import { isNestedDeeper, MAX_RESULT_DEPTH, BrokenOffCallError, ToolCallError } from '../tools/tool.js';
import { parseExactJson } from '../tools/platform/exact-json.js';
import { secretsIn, withSecrets } from '../tools/platform/http-request.js';
import type { HttpAnswer, HttpCall } from '../tools/ports.js';
import type { OpenedSecrets } from './opened-secrets.js';

const MAX_MESSAGE_CHARACTERS = 300;
const JSON_TYPE = /^application\/(?:[\w.+-]*\+)?json$/;
/** Type of pages, and the file name under which their text is extracted. */
const PAGE_TYPE = 'text/html';
const PAGE_NAME = 'page.html';
const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.+-]*\+)?xml$|application\/(?:x-)?(?:yaml|ndjson)$)/;
/** Errors of connections that were never made. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']);

type Settings = Pick<ToolsSettings, 'FETCH_URL' | 'EGRESS_ALLOW_PRIVATE' | 'EGRESS_PORTS'>;

/**
 * Sends HTTP requests of plans if the operator allows it. Addresses are checked, redirects included, and connections use
 * the checked addresses. Secrets are filled in here, for their hosts only, and removed from everything that the server
 * returns; a request with a secret follows no redirect.
 */
export class HttpCaller {
  private readonly pages: PageDownload;

  constructor(
    private readonly settings: Settings,
    private readonly secrets: Pick<OpenedSecrets, 'valuesFor'>,
    private readonly extraction: Pick<ExtractionPool, 'extractDecoded'>,
    resolve?: Resolver,
    timeoutMs?: number,
  ) {
    this.pages = new PageDownload(settings, resolve, timeoutMs);
  }

  /**
   * @param staysOnHost whether redirects to another host are refused
   * @throws ToolCallError; BrokenOffCallError if the request may have taken effect
   */
  async send(
    tenantId: string,
    call: HttpCall,
    signal: AbortSignal,
    staysOnHost = false,
  ): Promise<HttpAnswer> {
    if (!this.settings.FETCH_URL) throw new ToolCallError('not_allowed', phrase('tool_error.requests_off'));
    const values = await this.valuesOf(tenantId, call);
    const { type, body } = bodyOf(call, values);
    const given = Object.entries(call.headers).map(([name, value]): [string, string] => [
      name.toLowerCase(),
      withSecrets(value, (secret) => values.get(secret)!),
    ]);
    const headers = {
      'user-agent': 'Scriptorium',
      accept: 'application/json, text/*;q=0.9',
      ...(type !== null && { 'content-type': type }),
      ...Object.fromEntries(given),
    };
    const { method } = call;
    try {
      const response =
        method === 'GET' && values.size === 0
          ? await this.pages.get(call.url, signal, { headers, staysOnHost })
          : await this.pages.fetch(urlOf(call, values), { method, headers, body, signal });
      const extract = async (bytes: Uint8Array) =>
        (await this.extraction.extractDecoded(tenantId, { bytes, name: PAGE_NAME }, signal)).text;
      return await answerOf(response, secretMask([...values.values()]), method === 'GET' ? extract : null);
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    }
  }

  /** Opens the secrets that a request names. @throws ToolCallError */
  private valuesOf(tenantId: string, { headers, url, secrets }: HttpCall): Promise<Map<string, string>> {
    const ofFields = [secrets?.query ?? {}, secrets?.body ?? {}].flatMap((fields) => Object.values(fields));
    return this.secrets.valuesFor(new URL(url).host, tenantId, [...secretsIn(headers), ...ofFields]);
  }
}

/** Returns the secrets of fields by their names, with their values. */
const valuesOfFields = (fields: Record<string, string> = {}, values: ReadonlyMap<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([field, name]) => [field, values.get(name)!]));

function urlOf({ url, secrets }: HttpCall, values: ReadonlyMap<string, string>): string {
  const full = new URL(url);
  for (const [name, value] of Object.entries(valuesOfFields(secrets?.query, values)))
    full.searchParams.set(name, value);
  return Object.keys(secrets?.query ?? {}).length === 0 ? url : full.href;
}

function bodyOf(
  { body, secrets }: HttpCall,
  values: ReadonlyMap<string, string>,
): { type: string | null; body: string | null } {
  const added = valuesOfFields(secrets?.body, values);
  if (body === null) return { type: null, body: null };
  if (typeof body !== 'string')
    return {
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({ ...body.form, ...added }).toString(),
    };
  if (Object.keys(added).length === 0) return { type: 'application/json', body };
  const fields = { ...(JSON.parse(body) as Record<string, unknown>), ...added };
  return { type: 'application/json', body: JSON.stringify(fields) };
}

/** @param textOfPage returns the text of HTML; null to leave HTML as it is */
async function answerOf(
  response: Response,
  mask: <T>(value: T) => T,
  textOfPage: ((html: Uint8Array) => Promise<string>) | null,
): Promise<HttpAnswer> {
  const { status, headers } = response;
  const mediaType = mask(headers.get('content-type') ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase()
    .slice(0, 100);
  const isJson = JSON_TYPE.test(mediaType);
  const isText = isJson || TEXT_TYPE.test(mediaType);
  const bytes = new Uint8Array(isText ? await response.arrayBuffer() : []);
  const text = new TextDecoder().decode(bytes);
  if (!isText) await response.body?.cancel();
  // Mask after parsing: JSON may escape any character of a secret.
  const body = mask(text === '' ? null : valueOf(text, mediaType, status < 400));
  if (status >= 400) throw statusError(status, body);
  const answer = { status, mediaType, location: mask(headers.get('location')), body };
  if (isJson || !isText) return { ...answer, text: null };
  if (textOfPage === null || mediaType !== PAGE_TYPE) return { ...answer, text: mask(text) };
  // Mask before the extraction, too: it may write a secret in another form.
  const html = mask(text) === text ? bytes : Buffer.from(mask(text));
  return { ...answer, text: mask(await textOfPage(html)) };
}

function statusError(status: number, body: unknown): ToolCallError {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  const shown = body === null ? '' : sanitizeServerText(text, MAX_MESSAGE_CHARACTERS);
  const message =
    shown === ''
      ? phrase('tool_error.http_status', { status })
      : phrase('tool_error.http_status_says', { status, text: shown });
  // A server that fails may have done the work before.
  return new (status >= 500 ? BrokenOffCallError : ToolCallError)('http_status', message);
}

/** @param isRequired whether JSON that cannot be parsed is an error, instead of text */
function valueOf(text: string, mediaType: string, isRequired: boolean): unknown {
  if (!JSON_TYPE.test(mediaType)) return text;
  let value: unknown;
  try {
    value = parseExactJson(withoutByteOrderMark(text));
  } catch {
    if (!isRequired) return text;
    throw new BrokenOffCallError('invalid_answer', phrase('tool_error.no_json'));
  }
  if (!isNestedDeeper(value, MAX_RESULT_DEPTH)) return value;
  if (!isRequired) return text;
  throw new BrokenOffCallError('too_large', phrase('tool_error.result_nested', { max: MAX_RESULT_DEPTH }));
}

function failureOf(error: unknown): ToolCallError {
  if (error instanceof ToolCallError) return error;
  if (error instanceof ExtractionError)
    return new ToolCallError('not_text', phrase('tool_error.page_unreadable', { reason: detailOf(error) }));
  const { code, detail } = downloadFailure(error);
  const isWithoutEffect =
    code === 'refused_address' || UNSENT.has(String((error as { code?: unknown }).code));
  return new (isWithoutEffect ? ToolCallError : BrokenOffCallError)(code, detail);
}

const REMOVED = '[removed]';

/**
 * Returns a function that replaces secrets in every string of a JSON value, names of fields included. Escaped forms
 * are found too, because a string may itself contain JSON, a URL or XML.
 */
export function secretMask(secrets: readonly string[]): <T>(value: T) => T {
  const forms = [...new Set(secrets.flatMap(writtenForms))];
  const clean = (text: string) => forms.reduce((rest, form) => rest.replaceAll(form, REMOVED), text);
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'number') return cleanNumber(value, clean);
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [clean(name), mask(item)]));
  };
  return forms.length === 0 ? (value) => value : <T>(value: T) => mask(value) as T;
}

/** A secret of digits may return as a number. */
function cleanNumber(value: number, clean: (text: string) => string): unknown {
  const text = clean(String(value));
  return text === String(value) ? value : text;
}

/** Returns a secret as it is written in texts, JSON, URLs and XML, longest first. */
function writtenForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const escaped = (form: (code: number) => string) =>
    secret.replace(/[^A-Za-z0-9]/g, (character) => form(character.charCodeAt(0)));
  const inHex = (prefix: string, digits: number, suffix = '') => {
    const upper = (code: number) => code.toString(16).toUpperCase().padStart(digits, '0');
    return [
      escaped((code) => `${prefix}${upper(code)}${suffix}`),
      escaped((code) => `${prefix}${upper(code).toLowerCase()}${suffix}`),
    ];
  };
  const url = encodeURIComponent(secret);
  const forms = [
    ...inHex('\\u', 4),
    ...inHex('&#x', 1, ';'),
    ...inHex('%', 2),
    escaped((code) => `&#${code};`),
    xmlText(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    url,
    url.replace(/%../g, (code) => code.toLowerCase()),
    json,
    json.replaceAll('/', '\\/'),
    secret,
  ];
  return forms.sort((a, b) => b.length - a.length);
}

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
const xmlText = (text: string) => text.replace(/[&<>"']/g, (character) => `&${ENTITIES[character]!};`);
