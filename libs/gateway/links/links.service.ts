import { MAX_SHARE_DAYS, type newShareSchema } from '#contracts/api/link-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Caller } from '#db/repositories/tenants.js';
import type { DecisionRow } from '#db/repositories/decisions.js';
import { ExportRepository, type Export } from '#db/repositories/exports.js';
import { type Link, LinkRepository, MAX_LINKS, type OpenLink } from '#db/repositories/links.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { asService, asTenant } from '#db/tenant-scope.js';
import { answerDecision } from '#engine/decisions/answer.js';
import type { Engine } from '#engine/engine.js';
import { runApart } from '#kit/runtime/run-apart.js';
import { WorkLimitError } from '#kit/runtime/work-pool.js';
import { ENGINE, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { DecisionsService } from '../decisions/decisions.service.js';
import { readResult } from '../results/results.controller.js';
import { resultView } from '../results/views.js';
import { SessionAccess } from '../tenants/session-access.js';

/** Maximum size in bytes of a text that is shown; larger ones can only be downloaded. */
const MAX_BYTES = 4 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** Renders a text of a tenant in a thread. */
const PAGE = new URL('../../kit/conversion/text-page.worker.js', import.meta.url);
/** Time limit of rendering, in milliseconds. */
const PAGE_MS = 20_000;

/** What a page shows of a result. */
export interface SharedResult {
  link: OpenLink;
  title: string | null;
  /** Null for a file, and for a text that is too long to be shown. */
  html: string | null;
  /** Export, or newest Word file of the text. */
  file: Export | null;
}

/** Links that open one result for reading, or one decision for an answer, to anyone who has them. */
@Injectable()
export class LinksService {
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly links: LinkRepository,
    private readonly exports: ExportRepository,
    private readonly files: SessionFileRepository,
    private readonly results: SessionResultRepository,
    private readonly access: SessionAccess,
    private readonly decisions: DecisionsService,
  ) {}

  /** @throws ProblemError `not_found`, `invalid_request`, `too_many_links` */
  async createShare(
    { tenantId, apiKeyId }: Caller,
    sessionId: string,
    { result, export_id: exportId, until }: z.infer<typeof newShareSchema>,
  ): Promise<{ link: Link; secret: string }> {
    await this.access.require(tenantId, sessionId);
    if ((result === undefined) === (exportId === undefined))
      throw new ProblemError('invalid_request', phrase('invalid_request.share_what'));
    const expiresAt = new Date(until);
    const days = (expiresAt.getTime() - Date.now()) / DAY_MS;
    if (days <= 0 || days > MAX_SHARE_DAYS)
      throw new ProblemError(
        'invalid_request',
        phrase('invalid_request.share_until', { max: MAX_SHARE_DAYS }),
      );
    if (result) await this.textOf(tenantId, sessionId, result.kind, result.name);
    else if (!(await this.exports.find(tenantId, sessionId, exportId!)))
      throw new ProblemError('not_found', phrase('not_found.export'));
    return this.add(tenantId, { sessionId, apiKeyId, expiresAt, ...result, exportId: exportId ?? null });
  }

  /** @throws ProblemError `not_found` */
  async listShares(tenantId: string, sessionId: string): Promise<Link[]> {
    await this.access.require(tenantId, sessionId);
    return this.links.listShares(tenantId, sessionId);
  }

  /** @throws ProblemError `not_found` */
  async revokeShare(tenantId: string, sessionId: string, id: string): Promise<void> {
    if (!(await this.links.removeShare(tenantId, sessionId, id)))
      throw new ProblemError('not_found', phrase('not_found.link'));
  }

  /**
   * Refuses decisions with a quorum: one person with several links would be several voters.
   *
   * @throws ProblemError `not_found`, `not_assignee`, `decision_stale`, `forbidden`, `too_many_links`
   */
  async createDecisionLink(caller: Caller, decisionId: string): Promise<{ link: Link; secret: string }> {
    const { status, quorum, deadline, run } = await this.decisions.requireAnswerable(caller, decisionId);
    if (status !== 'pending' || !deadline || deadline <= new Date())
      throw new ProblemError('decision_stale', phrase('decision_stale.not_waiting'));
    if (quorum > 1) throw new ProblemError('forbidden', phrase('forbidden.link_of_quorum'));
    const { tenantId, apiKeyId } = caller;
    return this.add(tenantId, { sessionId: run.sessionId, apiKeyId, expiresAt: deadline, decisionId });
  }

  /** Returns what a link shows. @throws ProblemError `not_found` */
  async shared(secret: string): Promise<SharedResult> {
    const link = await this.open(secret, false);
    return asTenant(link.tenantId, async () => {
      const { title } = await this.access.require(link.tenantId, link.sessionId);
      const key = await this.shownText(link);
      const file = await this.fileOf(link, key);
      if (key === null) return { link, title, html: null, file: file ?? refuseLink() };
      const text = await textWithin(await readResult(this.store, link.tenantId, link.sessionId, key));
      const html = text === null ? null : await render(link.tenantId, text).catch(hideLimit);
      return { link, title, html, file };
    });
  }

  /** Returns the file that a link offers. @throws ProblemError `not_found` */
  async sharedFile(secret: string): Promise<{ file: Export; bytes: Readable }> {
    const link = await this.open(secret, false);
    const file = await asTenant(link.tenantId, async () => this.fileOf(link, await this.shownText(link)));
    return file ? { file, bytes: await this.store.get(file.objectKey) } : refuseLink();
  }

  /** Returns the open decision of a link, and the names of its session's inputs. @throws ProblemError `not_found` */
  async decision(secret: string): Promise<{ link: OpenLink; decision: DecisionRow; inputs: string[] }> {
    const link = await this.open(secret, true);
    return asTenant(link.tenantId, async () => {
      const decision = await this.decisions.require(link.tenantId, link.decisionId!);
      const files = await this.files.list(link.tenantId, link.sessionId, 'inputs');
      return { link, decision, inputs: files.map(({ name }) => name) };
    });
  }

  /** Answers a decision; the statement of the answer removes its links. @throws ProblemError `invalid_answer`, `decision_answered` */
  async answer(
    { link, decision }: { link: OpenLink; decision: DecisionRow },
    body: Record<string, unknown>,
  ): Promise<void> {
    const given = { body, uploads: new Map() };
    await asTenant(link.tenantId, () => answerDecision(this.engine, decision, given, link.id));
  }

  private async add(tenantId: string, link: Parameters<LinkRepository['add']>[1]) {
    const added = await this.links.add(tenantId, link);
    if (added) return added;
    throw new ProblemError('too_many_links', phrase('too_many_links.max', { max: MAX_LINKS }));
  }

  private async open(secret: string, isAnswer: boolean): Promise<OpenLink> {
    const link = await asService(() => this.links.open(secret));
    return link && (link.decisionId !== null) === isAnswer ? link : refuseLink();
  }

  /** Returns the object key of a text. @throws ProblemError `not_found` */
  private async textOf(tenantId: string, sessionId: string, kind: string, name: string): Promise<string> {
    const row = await this.results.find(tenantId, sessionId, name, kind);
    const [view] = row ? resultView(row) : [];
    if (row && view?.media_type.startsWith('text/markdown')) return row.objectKey;
    throw new ProblemError('not_found', phrase('not_found.result'));
  }

  /** Returns the object key of the text that a link shows; null for an export. @throws ProblemError `not_found` */
  private async shownText({ tenantId, sessionId, kind, name, exportId }: OpenLink): Promise<string | null> {
    return exportId === null ? this.textOf(tenantId, sessionId, kind!, name!) : null;
  }

  private fileOf({ tenantId, sessionId, exportId }: OpenLink, text: string | null): Promise<Export | null> {
    if (text === null) return this.exports.find(tenantId, sessionId, exportId!);
    return this.exports.newestWord(tenantId, sessionId, text);
  }
}

/** The error of every link that does not work. */
export function refuseLink(): never {
  throw new ProblemError('not_found', phrase('not_found.link'));
}

/** A text above the limits of rendering is as one that is too long. */
function hideLimit(error: unknown): null {
  if (error instanceof WorkLimitError) return null;
  throw error;
}

/** Returns a text as HTML, as its Word file structures it, without pictures. @throws WorkLimitError */
const render = (tenantId: string, markdown: string) =>
  runApart<string>(PAGE, markdown, { tenantId, limitMs: PAGE_MS, where: 'request_thread' });

/** Returns a text, or null if it is too long to be shown. */
async function textWithin(stream: Readable): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
