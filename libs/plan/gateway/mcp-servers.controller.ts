import { Controller } from '@nestjs/common';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { McpServersService } from './mcp-servers.service.js';
import { serverView, serverWithToolsView } from './mcp-servers.views.js';

/** MCP servers of tenants (P12). */
@Controller()
export class McpServersController {
  constructor(private readonly servers: McpServersService) {}

  @Route('registerMcpServer')
  async register(
    { tenantId, body }: EndpointRequest<'registerMcpServer'>,
    @IdFromKey('mcp') id: string | undefined,
  ) {
    return serverView(await this.servers.register(tenantId, body, id));
  }

  @Route('listMcpServers')
  async list({ tenantId }: EndpointRequest<'listMcpServers'>) {
    return { items: (await this.servers.list(tenantId)).map(serverView) };
  }

  @Route('getMcpServer')
  async get({ tenantId, params: { server_id: id } }: EndpointRequest<'getMcpServer'>) {
    return serverWithToolsView(await this.servers.require(tenantId, id));
  }

  @Route('changeMcpServer')
  async change({ tenantId, params: { server_id: id }, body }: EndpointRequest<'changeMcpServer'>) {
    return serverWithToolsView(await this.servers.change(tenantId, id, body));
  }

  @Route('deleteMcpServer')
  async remove({ tenantId, params: { server_id: id } }: EndpointRequest<'deleteMcpServer'>) {
    await this.servers.remove(tenantId, id);
  }

  @Route('refreshMcpServer')
  async refresh({ tenantId, params: { server_id: id } }: EndpointRequest<'refreshMcpServer'>) {
    return serverView(await this.servers.refresh(tenantId, id));
  }

  @Route('approveMcpTools')
  async approve({
    tenantId,
    params: { server_id: id },
    body: { tools },
  }: EndpointRequest<'approveMcpTools'>) {
    return serverWithToolsView(await this.servers.approve(tenantId, id, tools));
  }
}
