import type { McpServerChange, NewMcpServer } from '../contract/mcp-schemas.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Controller, Param } from '@nestjs/common';
import { FromCaller, IdFromKey, Route, ValidBody } from '#gateway/http/route.js';
import { McpServersService } from './mcp-servers.service.js';
import { serverView, serverWithToolsView } from './mcp-servers.views.js';

/** MCP servers of tenants (P12). */
@Controller()
export class McpServersController {
  constructor(private readonly servers: McpServersService) {}

  @Route('registerMcpServer')
  async register(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('registerMcpServer') body: NewMcpServer,
    @IdFromKey('mcp') id: string | undefined,
  ) {
    return serverView(await this.servers.register(tenantId, body, id));
  }

  @Route('listMcpServers')
  async list(@FromCaller() { tenantId }: Caller) {
    return { items: (await this.servers.list(tenantId)).map(serverView) };
  }

  @Route('getMcpServer')
  async get(@FromCaller() { tenantId }: Caller, @Param('server_id') id: string) {
    return serverWithToolsView(await this.servers.require(tenantId, id));
  }

  @Route('changeMcpServer')
  async change(
    @FromCaller() { tenantId }: Caller,
    @Param('server_id') id: string,
    @ValidBody('changeMcpServer') body: McpServerChange,
  ) {
    return serverWithToolsView(await this.servers.change(tenantId, id, body));
  }

  @Route('deleteMcpServer')
  async remove(@FromCaller() { tenantId }: Caller, @Param('server_id') id: string) {
    await this.servers.remove(tenantId, id);
  }

  @Route('refreshMcpServer')
  async refresh(@FromCaller() { tenantId }: Caller, @Param('server_id') id: string) {
    return serverView(await this.servers.refresh(tenantId, id));
  }

  @Route('approveMcpTools')
  async approve(
    @FromCaller() { tenantId }: Caller,
    @Param('server_id') id: string,
    @ValidBody('approveMcpTools') { tools }: { tools: string[] },
  ) {
    return serverWithToolsView(await this.servers.approve(tenantId, id, tools));
  }
}
