import type {
  bookProjectChangesSchema,
  bookProjectsQuery,
  newBookProjectSchema,
  profileMessageSchema,
} from '../contract/schemas.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Controller, Headers, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { FromCaller, IdFromKey, Route, ValidBody, ValidQuery } from '#gateway/http/route.js';
import { goneSignal } from '#gateway/runs/event-stream.js';
import { BookProjectsService } from './projects.service.js';

@Controller()
export class BookProjectsController {
  constructor(private readonly projects: BookProjectsService) {}

  @Route('createBookProject')
  create(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('createBookProject') body: z.infer<typeof newBookProjectSchema>,
    @IdFromKey('bok') id: string | undefined,
  ) {
    return this.projects.create(tenantId, body, id);
  }

  @Route('listBookProjects')
  list(
    @FromCaller() { tenantId }: Caller,
    @ValidQuery('listBookProjects') query: z.infer<typeof bookProjectsQuery>,
  ) {
    return this.projects.list(tenantId, query);
  }

  @Route('getBookProject')
  async get(
    @FromCaller() { tenantId }: Caller,
    @Param('project_id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const view = await this.projects.read(tenantId, id);
    void reply.header('etag', view.etag);
    return view;
  }

  @Route('changeBookProject')
  change(
    @FromCaller() { tenantId }: Caller,
    @Param('project_id') id: string,
    @ValidBody('changeBookProject') body: z.infer<typeof bookProjectChangesSchema>,
    @Headers('if-match') ifMatch: string | undefined,
  ) {
    return this.projects.change(tenantId, id, body, ifMatch);
  }

  @Route('deleteBookProject')
  async remove(@FromCaller() { tenantId }: Caller, @Param('project_id') id: string) {
    await this.projects.remove(tenantId, id);
  }

  @Route('stopBook')
  stop(@FromCaller() { tenantId }: Caller, @Param('project_id') id: string) {
    return this.projects.stop(tenantId, id);
  }

  @Route('assistProfile')
  assist(
    @FromCaller() { tenantId }: Caller,
    @Param('project_id') id: string,
    @ValidBody('assistProfile') body: z.infer<typeof profileMessageSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.projects.assist(tenantId, id, body, goneSignal(reply));
  }
}
