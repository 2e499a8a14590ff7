import type {
  bookChapterChangesSchema,
  chaptersQuery,
  newBookChapterSchema,
  newChapterOfProjectSchema,
  paragraphDecisionsSchema,
  restoreVersionSchema,
  versionRangeQuery,
} from '../contract/schemas.js';
import type { PageQuery } from '#contracts/api/paging.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Controller, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { FromCaller, IdFromKey, Route, ValidBody, ValidQuery } from '#gateway/http/route.js';
import { BookChaptersService } from './chapters.service.js';
import { ChapterImpactService } from './impact.service.js';

@Controller()
export class BookChaptersController {
  constructor(
    private readonly chapters: BookChaptersService,
    private readonly impacts: ChapterImpactService,
  ) {}

  @Route('listChaptersOfProject')
  listOfProject(
    @FromCaller() { tenantId }: Caller,
    @Param('project_id') projectId: string,
    @ValidQuery('listChaptersOfProject') query: PageQuery,
  ) {
    return this.chapters.list(tenantId, projectId, query);
  }

  @Route('createChapterOfProject')
  createOfProject(
    @FromCaller() { tenantId }: Caller,
    @Param('project_id') projectId: string,
    @ValidBody('createChapterOfProject') body: z.infer<typeof newBookChapterSchema>,
    @IdFromKey('cha') id: string | undefined,
  ) {
    return this.chapters.create(tenantId, projectId, body, id);
  }

  @Route('listChapters')
  list(
    @FromCaller() { tenantId }: Caller,
    @ValidQuery('listChapters') { project_id: projectId, ...query }: z.infer<typeof chaptersQuery>,
  ) {
    return this.chapters.list(tenantId, projectId, query);
  }

  @Route('createChapter')
  create(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('createChapter') { project_id: projectId, ...body }: z.infer<typeof newChapterOfProjectSchema>,
    @IdFromKey('cha') id: string | undefined,
  ) {
    return this.chapters.create(tenantId, projectId, body, id);
  }

  @Route('getChapter')
  async get(
    @FromCaller() { tenantId }: Caller,
    @Param('chapter_id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const view = await this.chapters.read(tenantId, id);
    void reply.header('etag', view.etag);
    return view;
  }

  @Route('changeChapter')
  change(
    @FromCaller() { tenantId }: Caller,
    @Param('chapter_id') id: string,
    @ValidBody('changeChapter') body: z.infer<typeof bookChapterChangesSchema>,
    @Headers('if-match') ifMatch: string | undefined,
  ) {
    return this.chapters.change(tenantId, id, body, ifMatch);
  }

  @Route('deleteChapter')
  async remove(@FromCaller() { tenantId }: Caller, @Param('chapter_id') id: string) {
    await this.chapters.remove(tenantId, id);
  }

  @Route('listChapterVersions')
  versions(
    @FromCaller() { tenantId }: Caller,
    @Param('chapter_id') id: string,
    @ValidQuery('listChapterVersions') query: PageQuery,
  ) {
    return this.chapters.versions(tenantId, id, query);
  }

  @Route('getChapterVersion')
  version(
    @FromCaller() { tenantId }: Caller,
    @Param('chapter_id') id: string,
    @Param('version') version: string,
  ) {
    return this.chapters.version(tenantId, id, version);
  }

  @Route('restoreChapterVersion')
  restore(
    @FromCaller() { tenantId }: Caller,
    @Param('chapter_id') id: string,
    @ValidBody('restoreChapterVersion') { version }: z.infer<typeof restoreVersionSchema>,
  ) {
    return this.chapters.restore(tenantId, id, version);
  }

  @Route('listRevisionChanges')
  changes(
    @FromCaller() { tenantId }: Caller,
    @Param('chapter_id') id: string,
    @ValidQuery('listRevisionChanges') range: z.infer<typeof versionRangeQuery>,
  ) {
    return this.chapters.changes(tenantId, id, range);
  }

  @Route('decideParagraphs')
  decide(
    @FromCaller() { tenantId }: Caller,
    @Param('chapter_id') id: string,
    @ValidBody('decideParagraphs') body: z.infer<typeof paragraphDecisionsSchema>,
  ) {
    return this.chapters.decide(tenantId, id, body);
  }

  @Route('chapterImpact')
  impact(
    @FromCaller() { tenantId }: Caller,
    @Param('chapter_id') id: string,
    @ValidQuery('chapterImpact') range: z.infer<typeof versionRangeQuery>,
  ) {
    return this.impacts.between(tenantId, id, range);
  }
}
