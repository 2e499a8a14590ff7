import { withoutEnding } from '#contracts/text.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { PageRequest } from '#db/page.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { NamedCheckpointRepository } from '#db/repositories/named-checkpoints.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Controller, Headers, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { byTime, readPage } from '../http/page.js';
import { Route, type EndpointRequest } from '../http/route.js';
import { SessionAccess } from '../tenants/session-access.js';
import { mediaTypeOf, ResultsService } from './results.service.js';
import { checkpointView, exportView, resultView } from './views.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import { sessionPrefix } from '#storage/session-keys.js';
import type { Readable } from 'node:stream';
import { READER_LANGUAGES } from '#contracts/phrases/translator.js';

const MARKDOWN = 'text/markdown; charset=utf-8';

/** Returns an `attachment` header value with a name that any browser understands (RFC 6266). */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

/** Manuscript, ledger, checkpoints and exports of a session. */
@Controller()
export class ResultsController {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly access: SessionAccess,
    private readonly current: ResultsService,
    private readonly checkpoints: NamedCheckpointRepository,
    private readonly exports: ExportRepository,
    private readonly results: SessionResultRepository,
  ) {}

  @Route('getManuscript')
  async manuscript(
    { caller, params: { session_id: sessionId } }: EndpointRequest<'getManuscript'>,
    @Res() reply: FastifyReply,
  ) {
    const { version, text } = await this.current.manuscript(caller.tenantId, sessionId);
    void reply.header('etag', `"${version}"`);
    return reply.type(MARKDOWN).send(text);
  }

  @Route('getManuscriptLines')
  async manuscriptLines({
    caller,
    params: { session_id: sessionId },
    query: { first, count },
  }: EndpointRequest<'getManuscriptLines'>) {
    const { text } = await this.current.manuscript(caller.tenantId, sessionId);
    return { first, lines: await readLines(text, first, count) };
  }

  @Route('getInputLines')
  async inputLines({
    tenantId,
    params: { session_id: sessionId, name },
    query: { first, count },
  }: EndpointRequest<'getInputLines'>) {
    const text = await this.current.input(tenantId, sessionId, name);
    return { first, lines: await readLines(text, first, count) };
  }

  @Route('getLedger')
  async ledger(
    { tenantId, params: { session_id: sessionId }, query }: EndpointRequest<'getLedger'>,
    @Headers('accept-language') accepted: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    if (query.format === 'json') {
      const ledger = await this.current.ledger(tenantId, sessionId);
      return reply.type('application/json; charset=utf-8').send(ledger);
    }
    const language = query.language ?? acceptedLanguage(accepted);
    const page = await this.current.ledgerPage(tenantId, sessionId, language);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-language', language)
      .header('vary', 'accept-language')
      .send(page);
  }

  @Route('listResults')
  async listResults({ tenantId, params: { session_id: sessionId } }: EndpointRequest<'listResults'>) {
    await this.access.require(tenantId, sessionId);
    const rows = await this.results.list(tenantId, sessionId);
    const of = await this.current.madeOfCurrent(tenantId, sessionId);
    return { items: rows.flatMap((row) => resultView(row, of)) };
  }

  @Route('downloadResult')
  async downloadResult(
    {
      tenantId,
      params: { session_id: sessionId, kind, result_name: name },
    }: EndpointRequest<'downloadResult'>,
    @Res() reply: FastifyReply,
  ) {
    await this.access.require(tenantId, sessionId);
    const row = await this.results.find(tenantId, sessionId, name, kind);
    const [view] = row ? resultView(row) : [];
    if (!row || !view) throw new ProblemError('not_found', phrase('not_found.result'));
    return reply
      .type(view.media_type)
      .header('content-disposition', attachment(view.file_name))
      .send(await readResult(this.store, tenantId, sessionId, row.objectKey));
  }

  @Route('listCheckpoints')
  async listCheckpoints({
    tenantId,
    params: { session_id: sessionId },
    query,
  }: EndpointRequest<'listCheckpoints'>) {
    await this.access.require(tenantId, sessionId);
    const read = (request: PageRequest) => this.checkpoints.page(tenantId, sessionId, request);
    return readPage(query, byTime, read, (rows) => rows.map(checkpointView));
  }

  @Route('getCheckpoint')
  async getCheckpoint(
    {
      tenantId,
      params: { session_id: sessionId, checkpoint_id: checkpointId },
    }: EndpointRequest<'getCheckpoint'>,
    @Res() reply: FastifyReply,
  ) {
    const row = await this.checkpoints.find(tenantId, sessionId, checkpointId);
    if (!row) throw new ProblemError('not_found', phrase('not_found.named_checkpoint'));
    return reply.type(MARKDOWN).send(await this.store.get(row.objectKey));
  }

  @Route('restoreCheckpoint')
  async restore({
    tenantId,
    params: { session_id: sessionId, checkpoint_id: checkpointId },
  }: EndpointRequest<'restoreCheckpoint'>) {
    const row = await this.checkpoints.find(tenantId, sessionId, checkpointId);
    if (!row) throw new ProblemError('not_found', phrase('not_found.named_checkpoint'));
    const to = { runId: row.runId, name: 'manuscript', objectKey: row.manuscriptKey };
    if (!(await this.results.move(tenantId, sessionId, to))) {
      throw new ProblemError('file_in_use', phrase('file_in_use.active_run'));
    }
    return checkpointView(row);
  }

  @Route('listExports')
  async listExports({ tenantId, params: { session_id: sessionId }, query }: EndpointRequest<'listExports'>) {
    await this.access.require(tenantId, sessionId);
    const read = (request: PageRequest) => this.exports.page(tenantId, sessionId, request);
    const of = await this.current.madeOfCurrent(tenantId, sessionId);
    return readPage(query, byTime, read, (rows) => rows.map((row) => exportView(row, of)));
  }

  @Route('exportAsBase64')
  async encoded({
    tenantId,
    params: { session_id: sessionId, export_id: exportId },
  }: EndpointRequest<'exportAsBase64'>) {
    const { row, bytes } = await this.current.encodableExport(tenantId, sessionId, exportId);
    const { name: filename, size, sha256 } = row;
    return {
      filename,
      media_type: mediaTypeOf(row),
      size,
      sha256,
      content_base64: Buffer.from(bytes).toString('base64'),
    };
  }

  @Route('downloadExport')
  async download(
    { tenantId, params: { session_id: sessionId, export_id: exportId } }: EndpointRequest<'downloadExport'>,
    @Res() reply: FastifyReply,
  ) {
    const { row, bytes } = await this.current.export(tenantId, sessionId, exportId);
    return reply
      .type(mediaTypeOf(row))
      .header('etag', `"${row.sha256}"`)
      .header('content-length', row.size)
      .header('content-disposition', attachment(row.name))
      .send(bytes);
  }
}

/**
 * Returns the bytes of a result: for a manuscript version the text of its segments, else the object itself.
 */
export function readResult(
  store: ObjectStore,
  tenantId: string,
  sessionId: string,
  objectKey: string,
): Promise<Readable> {
  const isManuscript = objectKey.startsWith(`${sessionPrefix(tenantId, sessionId)}manuscript/`);
  if (isManuscript) return new ManuscriptStore(store, tenantId, sessionId).stream(objectKey);
  return store.get(objectKey);
}

/** Bytes shown per line; longer lines are cut. */
const MAX_LINE_BYTES = 8_192;
const LINE_FEED = 10;

/**
 * Reads `count` lines of a text from line `first` (1-based) on, without line ends. Buffers only these lines,
 * and stops reading the stream after the last of them.
 *
 * @returns fewer lines if the text ends earlier; each is cut after 8 KiB
 */
export async function readLines(text: Readable, first: number, count: number): Promise<string[]> {
  const lines: string[] = [];
  let number = 1;
  let begun: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    if (number < first || length >= MAX_LINE_BYTES) return;
    begun.push(part.subarray(0, MAX_LINE_BYTES - length));
    length += part.length;
  };
  const end = () => {
    if (number >= first) lines.push(withoutEnding(Buffer.concat(begun).toString('utf8'), '\r'));
    begun = [];
    length = 0;
    number++;
  };
  // Leaving the loop destroys the stream.
  for await (const chunk of text as AsyncIterable<Buffer>) {
    let at = 0;
    for (let next = chunk.indexOf(LINE_FEED); next !== -1; next = chunk.indexOf(LINE_FEED, at)) {
      keep(chunk.subarray(at, next));
      end();
      at = next + 1;
      if (lines.length === count) return lines;
    }
    keep(chunk.subarray(at));
  }
  if (length > 0) end();
  return lines;
}

/**
 * Returns the language that an `Accept-Language` header prefers among those with texts; English if it accepts none.
 *
 * @returns primary BCP 47 tag, such as `de`
 */
export function acceptedLanguage(header: string | undefined): string {
  const accepted = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { language: tag.split('-')[0]!, quality: Number(quality) };
  });
  const known = accepted.filter(
    ({ language, quality }) => quality > 0 && READER_LANGUAGES.some((tag) => tag === language),
  );
  return known.sort((a, b) => b.quality - a.quality)[0]?.language ?? 'en';
}
