import type { diffQuery, diffSchema } from '#contracts/api/history-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { NamedCheckpointRepository } from '#db/repositories/named-checkpoints.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { ManuscriptStore, versionOf } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { computeForRequest } from '../http/compute.js';
import { SessionAccess } from '../tenants/session-access.js';
import type { DiffWork, LineDiff } from './diff.worker.js';

const WORKER = new URL('./diff.worker.js', import.meta.url);
/** Time limit of a comparison, in milliseconds. */
const LIMIT_MS = 10_000;
/** Maximum size of a manuscript to compare, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

type Diff = z.infer<typeof diffSchema>;

interface Side {
  manuscripts: ManuscriptStore;
  pointer: string;
  view: Diff['from'];
}

/** Compares manuscripts line by line, in threads (X5). */
@Injectable()
export class DiffService {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly access: SessionAccess,
    private readonly named: NamedCheckpointRepository,
    private readonly results: SessionResultRepository,
  ) {}

  /**
   * @returns the difference as hunks, and as unified text
   * @throws ProblemError `not_found`, `no_manuscript`, `diff_too_large`; `invalid_request` if the query names
   *   nothing to compare with
   */
  async compare(
    tenantId: string,
    sessionId: string,
    query: z.infer<typeof diffQuery>,
  ): Promise<Diff & { unified: string }> {
    await this.access.require(tenantId, sessionId);
    const other = query.with ?? sessionId;
    await this.access.require(tenantId, other);
    if (other === sessionId && query.version === undefined && query.with_version === undefined)
      throw new ProblemError('invalid_request', phrase('invalid_request.compare_what'));
    const from = await this.side(tenantId, sessionId, query.version);
    const to = await this.side(tenantId, other, query.with_version);
    const work: DiffWork = {
      before: await from.manuscripts.read(from.pointer),
      after: await to.manuscripts.read(to.pointer),
      limitMs: LIMIT_MS,
    };
    return { from: from.view, to: to.view, ...(await compareApart(tenantId, work)) };
  }

  private async side(tenantId: string, sessionId: string, version: string | undefined): Promise<Side> {
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    const pointer =
      version === undefined
        ? await this.current(tenantId, sessionId)
        : await this.versionAt(tenantId, sessionId, version, manuscripts);
    const { lines, bytes } = await manuscripts.describe(pointer);
    if (bytes > MAX_BYTES)
      throw new ProblemError('diff_too_large', phrase('diff_too_large.bytes', { max: MAX_BYTES }));
    return { manuscripts, pointer, view: { session_id: sessionId, version: versionOf(pointer), lines } };
  }

  private async current(tenantId: string, sessionId: string): Promise<string> {
    const manuscript = await this.results.find(tenantId, sessionId, 'manuscript');
    if (manuscript) return manuscript.objectKey;
    throw new ProblemError('no_manuscript', phrase('no_manuscript.of_session', { session: sessionId }));
  }

  private async versionAt(
    tenantId: string,
    sessionId: string,
    version: string,
    manuscripts: ManuscriptStore,
  ): Promise<string> {
    const named = await this.named.find(tenantId, sessionId, version);
    const pointer = named?.manuscriptKey ?? (await manuscripts.find(version));
    if (pointer === null) throw new ProblemError('not_found', phrase('not_found.version_or_checkpoint'));
    return pointer;
  }
}

async function compareApart(tenantId: string, work: DiffWork): Promise<LineDiff> {
  const limits = { tenantId, limitMs: LIMIT_MS * 2 };
  const diff = await computeForRequest<LineDiff | null>(WORKER, work, limits, tooDifferent);
  if (!diff) throw tooDifferent();
  return diff;
}

const tooDifferent = () => new ProblemError('diff_too_large', phrase('diff_too_large.manuscripts'));
