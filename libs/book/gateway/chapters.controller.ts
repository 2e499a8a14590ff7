import { Controller, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { BookChaptersService } from './chapters.service.js';
import { ChapterImpactService } from './impact.service.js';

@Controller()
export class BookChaptersController {
  constructor(
    private readonly chapters: BookChaptersService,
    private readonly impacts: ChapterImpactService,
  ) {}

  @Route('listChaptersOfProject')
  listOfProject({
    tenantId,
    params: { project_id: projectId },
    query,
  }: EndpointRequest<'listChaptersOfProject'>) {
    return this.chapters.list(tenantId, projectId, query);
  }

  @Route('createChapterOfProject')
  createOfProject(
    { tenantId, params: { project_id: projectId }, body }: EndpointRequest<'createChapterOfProject'>,
    @IdFromKey('cha') id: string | undefined,
  ) {
    return this.chapters.create(tenantId, projectId, body, id);
  }

  @Route('listChapters')
  list({ tenantId, query: { project_id: projectId, ...query } }: EndpointRequest<'listChapters'>) {
    return this.chapters.list(tenantId, projectId, query);
  }

  @Route('createChapter')
  create(
    { tenantId, body: { project_id: projectId, ...body } }: EndpointRequest<'createChapter'>,
    @IdFromKey('cha') id: string | undefined,
  ) {
    return this.chapters.create(tenantId, projectId, body, id);
  }

  @Route('getChapter')
  async get(
    { tenantId, params: { chapter_id: id } }: EndpointRequest<'getChapter'>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const view = await this.chapters.read(tenantId, id);
    void reply.header('etag', view.etag);
    return view;
  }

  @Route('changeChapter')
  change(
    { tenantId, params: { chapter_id: id }, body }: EndpointRequest<'changeChapter'>,
    @Headers('if-match') ifMatch: string | undefined,
  ) {
    return this.chapters.change(tenantId, id, body, ifMatch);
  }

  @Route('deleteChapter')
  async remove({ tenantId, params: { chapter_id: id } }: EndpointRequest<'deleteChapter'>) {
    await this.chapters.remove(tenantId, id);
  }

  @Route('listChapterVersions')
  versions({ tenantId, params: { chapter_id: id }, query }: EndpointRequest<'listChapterVersions'>) {
    return this.chapters.versions(tenantId, id, query);
  }

  @Route('getChapterVersion')
  version({ tenantId, params: { chapter_id: id, version } }: EndpointRequest<'getChapterVersion'>) {
    return this.chapters.version(tenantId, id, version);
  }

  @Route('restoreChapterVersion')
  restore({
    tenantId,
    params: { chapter_id: id },
    body: { version },
  }: EndpointRequest<'restoreChapterVersion'>) {
    return this.chapters.restore(tenantId, id, version);
  }

  @Route('listRevisionChanges')
  changes({ tenantId, params: { chapter_id: id }, query: range }: EndpointRequest<'listRevisionChanges'>) {
    return this.chapters.changes(tenantId, id, range);
  }

  @Route('decideParagraphs')
  decide({ tenantId, params: { chapter_id: id }, body }: EndpointRequest<'decideParagraphs'>) {
    return this.chapters.decide(tenantId, id, body);
  }

  @Route('changeChapterFinding')
  changeFinding(
    { caller, params, body }: EndpointRequest<'changeChapterFinding'>,
    @Headers('if-match') ifMatch: string | undefined,
  ) {
    return this.chapters.changeFinding(caller, params.chapter_id, params.finding_id, body, ifMatch);
  }

  @Route('chapterImpact')
  impact({ tenantId, params: { chapter_id: id }, query: range }: EndpointRequest<'chapterImpact'>) {
    return this.impacts.between(tenantId, id, range);
  }
}
