import type { GatewaySettings } from '#config/settings.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { filesOf } from '../http/multipart.js';
import { FromCaller, Route, ValidBody, ValidQuery } from '../http/route.js';
import { InputsService } from './inputs.service.js';
import { SessionAccess } from './session-access.js';
import { fileView } from './views.js';

@Controller()
export class InputsController {
  constructor(
    private readonly inputs: InputsService,
    private readonly access: SessionAccess,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  @Route('uploadInputs')
  async upload(
    @FromCaller() caller: Caller,
    @Param('session_id') sessionId: string,
    @ValidQuery('uploadInputs') { encoding }: { encoding?: string },
    @Req() request: FastifyRequest,
  ) {
    await this.access.require(caller.tenantId, sessionId);
    const parts = filesOf(request, this.settings.MAX_FILES_PER_SESSION);
    const { files, leftOut } = await this.inputs.upload(caller, sessionId, parts, encoding);
    return { items: files.map(fileView), left_out: leftOut };
  }

  @Route('listInputs')
  async list(@FromCaller() { tenantId }: Caller, @Param('session_id') sessionId: string) {
    await this.access.require(tenantId, sessionId);
    return { items: (await this.inputs.list(tenantId, sessionId)).map(fileView) };
  }

  @Route('orderInputs')
  async order(
    @FromCaller() { tenantId }: Caller,
    @Param('session_id') sessionId: string,
    @ValidBody('orderInputs') { names }: { names: string[] },
  ) {
    await this.access.require(tenantId, sessionId);
    return { items: (await this.inputs.order(tenantId, sessionId, names)).map(fileView) };
  }

  @Route('deleteInput')
  async remove(
    @FromCaller() { tenantId }: Caller,
    @Param('session_id') sessionId: string,
    @Param('name') name: string,
  ) {
    await this.access.require(tenantId, sessionId);
    await this.inputs.remove(tenantId, sessionId, name);
  }

  @Route('listAssets')
  async listAssets(@FromCaller() { tenantId }: Caller, @Param('session_id') sessionId: string) {
    await this.access.require(tenantId, sessionId);
    return { items: (await this.inputs.listAssets(tenantId, sessionId)).map(fileView) };
  }

  @Route('getImage')
  async image(
    @FromCaller() { tenantId }: Caller,
    @Param('session_id') sessionId: string,
    @Param('name') ref: string,
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
