import type {
  bookProjectChangesSchema,
  bookProjectsQuery,
  newBookProjectSchema,
  profileMessageSchema,
} from '../contract/schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { conceptOf, userConceptSchema, type BookProfile, type UserConcept } from '../contract/profile.js';
import { isActive } from '#contracts/runs.js';
import type { PageRequest } from '#db/page.js';
import { type BookChanges, type BookProject, bookCollectionId } from '../store/projects.js';
import { RunRepository } from '#db/repositories/runs.js';
import type { ProfileReply } from '../contract/conversation.js';
import { collectionPrefix } from '#storage/session-keys.js';
import { titleProblem } from '../profile/title.js';
import { deleteSession } from '#engine/runs/delete.js';
import type { Engine } from '#engine/engine.js';
import { ENGINE, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { byTime, readPage } from '#gateway/http/page.js';
import { RunsService } from '#gateway/runs/runs.service.js';
import { BookAccess, noProject, requireMatch } from './book-access.js';
import { ProfileAssistant } from './profile-assistant.service.js';
import { projectView, revisionTag } from './views.js';

const UNTITLED = 'Untitled book';

/** Books: concept, outline, profile assistant (B1, B2, B17). */
@Injectable()
export class BookProjectsService {
  constructor(
    private readonly access: BookAccess,
    private readonly assistant: ProfileAssistant,
    private readonly runViews: RunsService,
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly runs: RunRepository,
  ) {}

  async create(tenantId: string, body: z.infer<typeof newBookProjectSchema>, id = newId('bok')) {
    const concept = withFields(body, { profile: {} });
    const title = concept.profile.title ?? UNTITLED;
    return this.view(tenantId, await this.access.books.create(tenantId, id, title, concept));
  }

  list(tenantId: string, query: z.infer<typeof bookProjectsQuery>) {
    const read = (request: PageRequest) => this.access.books.page(tenantId, request, query.title);
    return readPage(query, byTime, read, async (rows) => {
      const sessions = rows.map(({ sessionId }) => sessionId);
      const latest = await this.runViews.latestOf(tenantId, sessions, 'book');
      return Promise.all(
        rows.map(async (row) => ({
          ...(await this.view(tenantId, row)),
          latest_run: latest.get(row.sessionId) ?? null,
        })),
      );
    });
  }

  async read(tenantId: string, id: string) {
    return this.view(tenantId, await this.access.project(tenantId, id));
  }

  /** @throws ProblemError `changed_meanwhile` */
  async change(
    tenantId: string,
    id: string,
    { outline_json: outline, ...fields }: z.infer<typeof bookProjectChangesSchema>,
    ifMatch: string | undefined,
  ) {
    const changed = await this.access.books.change(tenantId, id, (before) => {
      requireMatch(ifMatch, revisionTag(before));
      const concept = withFields(fields, userConceptSchema.parse(before.userConcept));
      const title = concept.profile.title;
      const changes: BookChanges = { concept, ...(title === undefined ? {} : { title }) };
      return outline ? { ...changes, outline } : changes;
    });
    return this.view(tenantId, changed ?? noProject());
  }

  /** Deletes the book with its sources and with its session, including runs and results. */
  async remove(tenantId: string, id: string): Promise<void> {
    const { sessionId } = await this.access.project(tenantId, id);
    await deleteSession(this.engine, this.store, tenantId, sessionId);
    for (const purpose of ['knowledge', 'memory'] as const)
      await this.store.deletePrefix(collectionPrefix(tenantId, bookCollectionId(id, purpose)));
  }

  /**
   * Asks the run that writes the whole book to end after its chapter.
   *
   * @throws ProblemError `run_finished` without such a run
   */
  async stop(tenantId: string, id: string) {
    const { sessionId } = await this.access.project(tenantId, id);
    const run = await this.runs.latest(tenantId, sessionId);
    if (!run || run.mode !== 'book' || !isActive(run.status))
      throw new ProblemError('run_finished', phrase('run_finished.no_book_writer'));
    await this.access.books.progress(tenantId, id, { runtime: { stop_run_id: run.id } }, 'stop');
    return this.read(tenantId, id);
  }

  /**
   * Returns the next step of the conversation; stores the profile in the book once its author says that it is
   * final (B17).
   */
  async assist(
    tenantId: string,
    id: string,
    sent: z.infer<typeof profileMessageSchema>,
    signal: AbortSignal,
  ): Promise<ProfileReply> {
    const project = await this.access.project(tenantId, id);
    const reply = await this.assistant.reply(tenantId, project, sent, signal);
    if (!reply.is_finalized) return reply;
    const known: BookProfile = { ...sent.profile, ...reply.field_updates };
    await this.access.books.change(tenantId, id, (before) => {
      const current = userConceptSchema.parse(before.userConcept);
      const whole = { ...current, profile: { ...current.profile, ...known } };
      return { concept: whole, ...(whole.profile.title === undefined ? {} : { title: whole.profile.title }) };
    });
    return reply;
  }

  private async view(tenantId: string, project: BookProject) {
    return projectView(project, await this.access.chapters.list(tenantId, project.id));
  }
}

/**
 * Merges the fields of a request into the author's concept.
 *
 * @throws ProblemError `invalid_request` for a placeholder as title
 */
function withFields(
  { metadata_json: metadata, ...profile }: z.infer<typeof newBookProjectSchema>,
  before: UserConcept,
): UserConcept {
  const concept = conceptOf(metadata ?? {}, before);
  const whole = { ...concept, profile: { ...concept.profile, ...profile } };
  const { title } = whole.profile;
  const problem = title === undefined || title === before.profile.title ? null : titleProblem(title);
  if (problem === null) return whole;
  throw new ProblemError('invalid_request', problem, [{ path: 'title', message: 'is a placeholder' }]);
}
