import { withoutByteOrderMark } from '#contracts/text.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { ToolsSettings } from '#config/settings.js';
import type { Resolver } from '#egress/destination.js';
import { downloadFailure, PageDownload } from '#egress/page-download.js';
import { declaredEncoding, decodeLabelled } from '#extraction/declared-encoding.js';
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
      return await answerOf(
        response,
        secretMask([...values.values()]),
        call,
        method === 'GET' ? extract : null,
      );
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
  { isAnyAnswer = false }: HttpCall,
  textOfPage: ((html: Uint8Array) => Promise<string>) | null,
): Promise<HttpAnswer> {
  const { status, headers } = response;
  const [type, ...parameters] = mask(headers.get('content-type') ?? (isAnyAnswer ? 'text/plain' : ''))
    .toLowerCase()
    .split(';');
  const mediaType = type!.trim().slice(0, 100);
  const isJson = JSON_TYPE.test(mediaType);
  const isText = isJson || TEXT_TYPE.test(mediaType);
  const isPage = mediaType === PAGE_TYPE;
  const bytes = new Uint8Array(isText ? await response.arrayBuffer() : []);
  if (!isText) await response.body?.cancel();
  const charset = parameters.join(';').split('charset=')[1]?.split(';')[0];
  const labels = [charset, isPage ? declaredEncoding(bytes) : undefined];
  const text = isJson ? new TextDecoder().decode(bytes) : decodeLabelled(bytes, labels).text;
  // Mask after parsing: JSON may escape any character of a secret.
  const body = mask(text === '' ? null : isJson && !isAnyAnswer ? jsonOf(text, status < 400) : text);
  if (status >= 400 && !isAnyAnswer) throw statusError(status, body);
  const answer = { status, mediaType, location: mask(headers.get('location')), body };
  if (!isText || (isJson && !isAnyAnswer)) return { ...answer, text: null };
  const shown = mask(text);
  // Valid UTF-8 is read as such, whatever encoding a page names.
  return { ...answer, text: textOfPage && isPage ? mask(await textOfPage(Buffer.from(shown))) : shown };
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
function jsonOf(text: string, isRequired: boolean): unknown {
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
 * are found too, because a string may itself contain JSON, a URL, Markdown or XML.
 */
export function secretMask(secrets: readonly string[]): <T>(value: T) => T {
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const forms = longestFirst.map(writtenForms);
  const clean = (text: string) => forms.reduce((rest, form) => rest.replace(form, REMOVED), text);
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

/**
 * Returns an expression for a secret as texts, Markdown, JSON, URLs, HTML and XML write it, whichever of its characters
 * they escape. Linear: a group inside a lookahead is not tried again.
 */
function writtenForms(secret: string): RegExp {
  const characters = [...secret].map((character, at) =>
    isAlphanumeric(character) ? character : `(?=(?<c${at}>${formsOf(character).join('|')}))\\k<c${at}>`,
  );
  const plain = [secret, JSON.stringify(secret).slice(1, -1)].map(literal);
  return new RegExp([...plain, characters.join('')].join('|'), 'gu');
}

/** Returns expressions for an ASCII character that is neither a letter nor a digit, or for any other one. */
function formsOf(character: string): string[] {
  const code = character.codePointAt(0)!;
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  const name = ENTITIES[character];
  return [
    `&#[xX]0*${inHex(code.toString(16))};`,
    `&#0*${code};`,
    ...(name === undefined ? [] : [`&${name};`]),
    ...(character === ' ' ? ['[+]'] : []),
    units.map((unit) => `\\\\u${inHex(unit)}`).join(''),
    bytes.map((byte) => `%${inHex(byte)}`).join(''),
    literal(JSON.stringify(character).slice(1, -1)),
    `\\\\{0,3}${literal(character)}`,
  ];
}

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
const isAlphanumeric = (character: string) => /[A-Za-z0-9]/.test(character);
const inHex = (digits: string) => [...digits].map((digit) => `[${digit}${digit.toUpperCase()}]`).join('');
const literal = (text: string) =>
  [...text].map((character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).join('');
