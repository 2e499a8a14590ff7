import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { GraphCheckpointRepository } from '#db/repositories/graph-checkpoints.js';
import { SessionResultRepository, type CurrentResult } from '#db/repositories/session-results.js';
import { valuesOf } from '#engine/history/saved-state.js';
import { ChangeableChapters } from '#gateway/runs/feature-ports.js';
import { SessionAccess } from '#gateway/tenants/session-access.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import { sha256 } from '#contracts/sha256.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import type { CitedPassage } from '#writing/citations.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { type ChangeTarget, citedPassageSchema, type NewChange, type Proposal } from '../contract/schemas.js';

/** The text of a change, before a part of it is selected. */
interface ChangeableText {
  target: ChangeTarget;
  /** Null for a text of the client: its run gets a new session. */
  sessionId: string | null;
  title: string;
  content: string;
  passages: CitedPassage[];
}

/** A text that a change was accepted for. */
export interface AcceptedChange {
  tenantId: string;
  sessionId: string;
  runId: string;
  proposal: Proposal;
}

/** Reads and replaces the texts of which people change selected parts. */
@Injectable()
export class ChangeTargets {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly access: SessionAccess,
    private readonly chapters: ChangeableChapters,
    private readonly results: SessionResultRepository,
    private readonly states: GraphCheckpointRepository,
  ) {}

  /** @throws ProblemError `not_found`, `chapter_empty`, `no_manuscript` */
  async read(tenantId: string, request: NewChange): Promise<ChangeableText> {
    if (request.text !== undefined)
      return { target: { kind: 'text' }, sessionId: null, title: '', content: request.text, passages: [] };
    if (request.chapter_id !== undefined) {
      const { chapter_id } = request;
      const chapter = await this.chapters.read(tenantId, chapter_id);
      return { target: { kind: 'chapter', chapter_id }, ...chapter };
    }
    const sessionId = request.session_id!;
    const { title } = await this.access.require(tenantId, sessionId);
    const kinds = request.of === undefined ? (['document', 'article'] as const) : [request.of];
    for (const kind of kinds) {
      const result = await this.current(tenantId, sessionId, kind);
      if (!result) continue;
      const content = await this.contentOf(tenantId, sessionId, kind, result);
      const passages = kind === 'article' ? await this.passagesOf(tenantId, result.runId) : [];
      return { target: { kind }, sessionId, title: title ?? '', content, passages };
    }
    throw new ProblemError('no_manuscript', phrase('no_manuscript.nothing_to_change'));
  }

  /**
   * Returns the present text of an accepted change's target.
   *
   * @throws ProblemError `not_found`, `changed_meanwhile`
   */
  async present({ tenantId, sessionId, proposal: { target } }: AcceptedChange): Promise<string> {
    if (target.kind === 'chapter') return (await this.chapters.read(tenantId, target.chapter_id)).content;
    if (target.kind === 'text') throw new Error('A text of the client is not stored.');
    const result = await this.current(tenantId, sessionId, target.kind);
    if (!result) throw changedMeanwhile();
    return this.contentOf(tenantId, sessionId, target.kind, result);
  }

  /** @throws ProblemError `not_found`, `changed_meanwhile`, `file_in_use` */
  async write(change: AcceptedChange, from: string, to: string): Promise<void> {
    const { tenantId, runId, proposal } = change;
    const { target } = proposal;
    if (target.kind === 'chapter')
      return this.chapters.replace(tenantId, target.chapter_id, { from, to, runId });
    if (target.kind === 'article')
      return this.exchange(change, 'article', await this.keepArticle(change, to));
    return this.exchange(change, 'document', proposal.manuscript_key!);
  }

  /** Points the result with the text, and a document's ledger, at the new objects. */
  private async exchange(change: AcceptedChange, kind: 'article' | 'document', key: string): Promise<void> {
    const { tenantId, sessionId, proposal } = change;
    const text = await this.current(tenantId, sessionId, kind);
    const stored = text && (await this.contentOf(tenantId, sessionId, kind, text));
    if (!text || sha256(stored ?? '') !== proposal.base) throw changedMeanwhile();
    const ledger = kind === 'document' && (await this.results.find(tenantId, sessionId, 'ledger', kind));
    const moves = [{ name: text.name, from: text.objectKey, to: key }];
    if (ledger && proposal.ledger_key && ledger.runId === text.runId)
      moves.push({ name: 'ledger', from: ledger.objectKey, to: proposal.ledger_key });
    const owner = { sessionId, runId: text.runId };
    if (await this.results.exchange(tenantId, owner, moves, true)) return;
    const now = await this.current(tenantId, sessionId, kind);
    if (now?.objectKey !== text.objectKey) throw changedMeanwhile();
    throw new ProblemError('file_in_use', phrase('file_in_use.active_run'));
  }

  private current(tenantId: string, sessionId: string, kind: 'article' | 'document') {
    return this.results.find(tenantId, sessionId, kind === 'article' ? 'article' : 'manuscript', kind);
  }

  private async contentOf(
    tenantId: string,
    sessionId: string,
    kind: 'article' | 'document',
    { objectKey }: CurrentResult,
  ): Promise<string> {
    if (kind === 'document') return new ManuscriptStore(this.store, tenantId, sessionId).read(objectKey);
    return Buffer.from(await this.store.getBytes(objectKey)).toString('utf8');
  }

  /** Returns the passages that an article's run has found. */
  private async passagesOf(tenantId: string, runId: string): Promise<CitedPassage[]> {
    const newest = await this.states.newest(tenantId, runId);
    const state = newest === null ? null : await this.states.find(tenantId, runId, newest);
    const found = state && valuesOf(state, ['passages'])['passages'];
    return z
      .array(citedPassageSchema)
      .catch([])
      .parse(found ?? []);
  }

  private async keepArticle({ tenantId, sessionId }: AcceptedChange, text: string): Promise<string> {
    const key = sessionKey(tenantId, sessionId, 'results', `article-${sha256(text)}.md`);
    await this.store.put(key, Buffer.from(text), { contentType: 'text/markdown; charset=utf-8' });
    return key;
  }
}

export const changedMeanwhile = () => new ProblemError('changed_meanwhile', phrase('changed_meanwhile.text'));
