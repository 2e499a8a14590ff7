import { Controller, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { goneSignal } from '#gateway/runs/event-stream.js';
import { BookProjectsService } from './projects.service.js';

@Controller()
export class BookProjectsController {
  constructor(private readonly projects: BookProjectsService) {}

  @Route('createBookProject')
  create({ tenantId, body }: EndpointRequest<'createBookProject'>, @IdFromKey('bok') id: string | undefined) {
    return this.projects.create(tenantId, body, id);
  }

  @Route('listBookProjects')
  list({ tenantId, query }: EndpointRequest<'listBookProjects'>) {
    return this.projects.list(tenantId, query);
  }

  @Route('getBookProject')
  async get(
    { tenantId, params: { project_id: id } }: EndpointRequest<'getBookProject'>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const view = await this.projects.read(tenantId, id);
    void reply.header('etag', view.etag);
    return view;
  }

  @Route('changeBookProject')
  change(
    { tenantId, params: { project_id: id }, body }: EndpointRequest<'changeBookProject'>,
    @Headers('if-match') ifMatch: string | undefined,
  ) {
    return this.projects.change(tenantId, id, body, ifMatch);
  }

  @Route('deleteBookProject')
  async remove({ tenantId, params: { project_id: id } }: EndpointRequest<'deleteBookProject'>) {
    await this.projects.remove(tenantId, id);
  }

  @Route('stopBook')
  stop({ tenantId, params: { project_id: id } }: EndpointRequest<'stopBook'>) {
    return this.projects.stop(tenantId, id);
  }

  @Route('assistProfile')
  assist(
    { tenantId, params: { project_id: id }, body }: EndpointRequest<'assistProfile'>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.projects.assist(tenantId, id, body, goneSignal(reply));
  }
}
