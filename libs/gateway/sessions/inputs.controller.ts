import type { GatewaySettings } from '#config/settings.js';
import { Controller, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { filesOf } from '../http/multipart.js';
import { Route, type EndpointRequest } from '../http/route.js';
import { InputsService } from './inputs.service.js';
import { fileView, SessionAccess } from '../tenants/session-access.js';

@Controller()
export class InputsController {
  constructor(
    private readonly inputs: InputsService,
    private readonly access: SessionAccess,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  @Route('uploadInputs')
  async upload({
    caller,
    params: { session_id: sessionId },
    query: { encoding },
    raw: request,
  }: EndpointRequest<'uploadInputs'>) {
    await this.access.require(caller.tenantId, sessionId);
    const parts = filesOf(request, this.settings.MAX_FILES_PER_SESSION);
    const { files, leftOut } = await this.inputs.upload(caller, sessionId, parts, encoding);
    return { items: files.map(fileView), left_out: leftOut };
  }

  @Route('listInputs')
  async list({ tenantId, params: { session_id: sessionId } }: EndpointRequest<'listInputs'>) {
    await this.access.require(tenantId, sessionId);
    return { items: (await this.inputs.list(tenantId, sessionId)).map(fileView) };
  }

  @Route('orderInputs')
  async order({
    tenantId,
    params: { session_id: sessionId },
    body: { names },
  }: EndpointRequest<'orderInputs'>) {
    await this.access.require(tenantId, sessionId);
    return { items: (await this.inputs.order(tenantId, sessionId, names)).map(fileView) };
  }

  @Route('deleteInput')
  async remove({ tenantId, params: { session_id: sessionId, name } }: EndpointRequest<'deleteInput'>) {
    await this.access.require(tenantId, sessionId);
    await this.inputs.remove(tenantId, sessionId, name);
  }

  @Route('listAssets')
  async listAssets({ tenantId, params: { session_id: sessionId } }: EndpointRequest<'listAssets'>) {
    await this.access.require(tenantId, sessionId);
    return { items: (await this.inputs.listAssets(tenantId, sessionId)).map(fileView) };
  }

  @Route('getImage')
  async image(
    { tenantId, params: { session_id: sessionId, name: ref } }: EndpointRequest<'getImage'>,
    @Res() reply: FastifyReply,
  ) {
    await this.access.require(tenantId, sessionId);
    const { file, bytes } = await this.inputs.image(tenantId, sessionId, ref);
    // A drawing that is opened as a page could run scripts; as an attachment it is only saved.
    return reply
      .type(file.mediaType)
      .header('content-length', file.size)
      .header('content-disposition', 'attachment')
      .send(bytes);
  }
}
