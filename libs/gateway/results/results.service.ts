import { withoutEnding } from '#contracts/text.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { translatorFor } from '#contracts/phrases/translator.js';
import { ExportRepository, type Export } from '#db/repositories/exports.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { SessionResultRepository, type CurrentResult } from '#db/repositories/session-results.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { ManuscriptStore, versionOf } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { type LedgerFacts, translatedPage, withFacts } from '#verbatim/ledger.js';
import { Inject, Injectable } from '@nestjs/common';
import { lookup } from 'mime-types';
import { Readable } from 'node:stream';
import { SessionAccess } from '../tenants/session-access.js';
import type { MadeOfCurrent } from './views.js';

/** Returns the media type of an export. */
export const mediaTypeOf = ({ name }: Pick<Export, 'name'>): string =>
  lookup(name) || 'application/octet-stream';

/** Maximum size in bytes of an export inside JSON, which is buffered in memory. */
const MAX_ENCODED_BYTES = 32 * 2 ** 20;

/** Title of a document without one: the file's name without its extension. */
const nameOf = (file?: Export): string => file?.name.replace(/\.[^.]+$/, '') ?? 'untitled';

/** Bytes at the start of a ledger page that contain the slot for the run's facts. */
const BEGINNING = 8_192;

async function* factsFirst(page: Readable, facts: LedgerFacts, language: string): AsyncGenerator<Buffer> {
  let beginning: Buffer | null = Buffer.alloc(0);
  for await (const chunk of page as AsyncIterable<Buffer>) {
    if (beginning === null) yield chunk;
    else {
      beginning = Buffer.concat([beginning, chunk]);
      if (beginning.length < BEGINNING) continue;
      yield withFacts(beginning, facts, language);
      beginning = null;
    }
  }
  if (beginning !== null) yield withFacts(beginning, facts, language);
}

/** Current results of a session: manuscript, ledger and exports. */
@Injectable()
export class ResultsService {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly access: SessionAccess,
    private readonly results: SessionResultRepository,
    private readonly exports: ExportRepository,
    private readonly files: SessionFileRepository,
  ) {}

  /** Returns the current manuscript of a session's document, and what was made of which version. */
  async madeOfCurrent(tenantId: string, sessionId: string): Promise<MadeOfCurrent> {
    const [manuscript, made] = await Promise.all([
      this.results.find(tenantId, sessionId, 'manuscript'),
      this.exports.madeOf(tenantId, sessionId),
    ]);
    return { current: manuscript?.objectKey ?? null, made };
  }

  /** @throws ProblemError `not_found`, `no_manuscript` */
  async manuscript(tenantId: string, sessionId: string): Promise<{ version: string; text: Readable }> {
    const { objectKey: pointer } = await this.latest(tenantId, sessionId, 'manuscript');
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    return { version: versionOf(pointer), text: await manuscripts.stream(pointer) };
  }

  /** Returns the text that the ledger traces an input by. @throws ProblemError `not_found` */
  async input(tenantId: string, sessionId: string, name: string): Promise<Readable> {
    await this.access.require(tenantId, sessionId);
    const inputs = await this.files.listReadable(tenantId, sessionId);
    const found = inputs.find((input) => input.name === name);
    if (!found) throw new ProblemError('not_found', phrase('not_found.input'));
    return this.store.get(found.objectKey);
  }

  /** @throws ProblemError `not_found`, `no_manuscript` */
  async ledger(tenantId: string, sessionId: string): Promise<Readable> {
    const { objectKey } = await this.latest(tenantId, sessionId, 'ledger');
    return this.store.get(objectKey);
  }

  /**
   * Returns the ledger as an HTML page.
   *
   * @param language BCP 47 tag of the reader's language
   * @throws ProblemError `not_found`, `no_manuscript`
   */
  async ledgerPage(tenantId: string, sessionId: string, language: string): Promise<Readable> {
    const { title } = await this.access.require(tenantId, sessionId);
    const { objectKey: key, runId, updatedAt: written } = await this.latest(tenantId, sessionId, 'ledger');
    const exports = await this.exports.list(tenantId, sessionId);
    const results = exports.filter((file) => file.runId === runId);
    const page = await this.store.get(`${withoutEnding(key, '.json')}.html`);
    const facts = { title: title ?? nameOf(results[0]), runId, written, results };
    return translatedPage(factsFirst(page, facts, language), await translatorFor(language));
  }

  /** @throws ProblemError `not_found` */
  async export(
    tenantId: string,
    sessionId: string,
    exportId: string,
  ): Promise<{ row: Export; bytes: Readable }> {
    const row = await this.exports.find(tenantId, sessionId, exportId);
    if (!row) throw new ProblemError('not_found', phrase('not_found.export'));
    return { row, bytes: await this.store.get(row.objectKey) };
  }

  /** Returns an export with all its bytes. @throws ProblemError `not_found`, `file_too_large` */
  async encodableExport(
    tenantId: string,
    sessionId: string,
    exportId: string,
  ): Promise<{ row: Export; bytes: Uint8Array }> {
    const row = await this.exports.find(tenantId, sessionId, exportId);
    if (!row) throw new ProblemError('not_found', phrase('not_found.export'));
    if (row.size > MAX_ENCODED_BYTES)
      throw new ProblemError('file_too_large', phrase('file_too_large.base64'));
    return { row, bytes: await this.store.getBytes(row.objectKey) };
  }

  /** Returns the session's current result of that name. */
  private async latest(
    tenantId: string,
    sessionId: string,
    name: 'manuscript' | 'ledger',
  ): Promise<CurrentResult> {
    await this.access.require(tenantId, sessionId);
    const result = await this.results.find(tenantId, sessionId, name);
    if (result) return result;
    throw new ProblemError('no_manuscript', phrase('no_manuscript.not_started'));
  }
}
