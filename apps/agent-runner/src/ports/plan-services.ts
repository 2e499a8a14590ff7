import { planCommandSchema } from '#contracts/kinds/plan/schemas.js';
import type { Database } from '#db/client.js';
import { PlanCommandRepository } from '#db/repositories/plan-commands.js';
import { McpServerRepository } from '#db/repositories/mcp-servers.js';
import { ToolGraphRepository } from '#db/repositories/tool-graph.js';
import type { PlanServices } from '#kinds/plan/definition.js';
import type { ObjectStore } from '#storage/object-store.js';
import { planResultKey } from '#storage/session-keys.js';
import { platformCatalogue } from '#tools/catalogue.js';
import { serverTools } from '#tools/mcp/server-tool.js';
import { storedResult } from '#tools/stored-result.js';
import { buildToolbox } from '#tools/toolbox.js';

/** What a plan's run needs of the outside. */
export function planServices(db: Database, store: ObjectStore): PlanServices {
  const commands = new PlanCommandRepository(db);
  const graph = new ToolGraphRepository(db);
  const servers = new McpServerRepository(db);
  const catalogue = async (tenantId: string) => [
    ...platformCatalogue,
    ...serverTools(await servers.approved(tenantId)),
  ];
  return ({ tenantId, sessionId, id }) => ({
    tools: async () => buildToolbox(await catalogue(tenantId)),
    async toolbox() {
      const [tools, learnt] = await Promise.all([catalogue(tenantId), graph.learnt(tenantId)]);
      return buildToolbox(tools, learnt);
    },
    result: async (key) => JSON.parse(Buffer.from(await store.getBytes(key)).toString('utf8')) as unknown,
    async keepResult(task, value) {
      const key = planResultKey(tenantId, sessionId, id, task);
      const json = JSON.stringify(value ?? null);
      await store.put(key, Buffer.from(json), { contentType: 'application/json' });
      return storedResult(key, json);
    },
    async takeCommands(step) {
      const taken = await commands.take(tenantId, id, step);
      return taken.map((given) => ({ id: given.id, command: planCommandSchema.parse(given.command) }));
    },
    keepLesson: (lesson) => graph.keepLesson(tenantId, id, lesson),
  });
}
