import { planCommandSchema } from '../contract/values.js';
import type { Database } from '#db/client.js';
import { PlanCommandRepository, type StoredCommand } from '../store/commands.js';
import { McpServerRepository } from '../store/mcp-servers.js';
import { SecretRepository, PlanHostsRepository } from '../store/secrets.js';
import { journalAt } from '../store/item-journals.js';
import { ToolGraphRepository } from '../store/tool-graph.js';
import { ToolVectors } from '../store/tool-vectors.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import type { TextEmbedder } from '#knowledge/vectors/text-embedder.js';
import type { PlanServices } from '../graph/definition.js';
import type { GivenCommand } from '../graph/ports.js';
import type { ObjectStore } from '#storage/object-store.js';
import { planItemsPrefix, planResultKey } from '#storage/session-keys.js';
import { platformCatalogue } from '../tools/catalogue.js';
import { codeChecksFor, glanceAtTables, schemaChecksFor } from '../store/tenant-checks.js';
import { serverTools } from '../tools/mcp/server-tool.js';
import { storedResult } from '../tools/stored-result.js';
import { buildToolbox } from '../tools/toolbox.js';
import { findRunKind } from '#catalogue/registry.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { Written } from '../tools/graph/runs.js';

/** Maximum number of collections that the planner sees. */
const MAX_COLLECTIONS = 50;

/** Maximum size of a file whose tables the planner sees. */
const MAX_GLANCED_BYTES = 8 * 1024 * 1024;

/** Creates the services that a plan run needs from outside its graph. */
export function planServices(db: Database, store: ObjectStore, embedder: TextEmbedder): PlanServices {
  const commands = new PlanCommandRepository(db);
  const graph = new ToolGraphRepository(db);
  const hosts = new PlanHostsRepository(db);
  const secrets = new SecretRepository(db);
  const collections = new CollectionRepository(db);
  const servers = new McpServerRepository(db);
  const files = new SessionFileRepository(db);
  const vectors = new ToolVectors(db, embedder);
  const catalogue = async (tenantId: string) => [
    ...platformCatalogue,
    ...serverTools(await servers.approved(tenantId)),
  ];
  return ({ tenantId, sessionId, id }) => ({
    tools: async () => buildToolbox(await catalogue(tenantId)),
    async toolbox() {
      const [tools, learnt] = await Promise.all([catalogue(tenantId), graph.learnt(tenantId)]);
      return buildToolbox(tools, learnt, await vectors.comparing(tenantId, tools));
    },
    schemas: schemaChecksFor(tenantId),
    codes: codeChecksFor(tenantId),
    async tablesIn(name) {
      const file = await files.find(tenantId, sessionId, 'inputs', name);
      return file && file.size <= MAX_GLANCED_BYTES
        ? glanceAtTables(tenantId, name, await store.getBytes(file.objectKey))
        : [];
    },
    secrets: async () => (await secrets.list(tenantId)).map(({ name, hosts }) => ({ name, hosts })),
    collections: async () =>
      (await collections.page(tenantId, { purpose: 'knowledge' }, { take: MAX_COLLECTIONS })).map(
        ({ id, name }) => ({ id, name }),
      ),
    allowedHosts: () => hosts.allowed(tenantId),
    result: async (key) => JSON.parse(Buffer.from(await store.getBytes(key)).toString('utf8')) as unknown,
    async keepResult(task, value) {
      const key = planResultKey(tenantId, sessionId, id, task);
      const json = JSON.stringify(value ?? null);
      await store.put(key, Buffer.from(json), { contentType: 'application/json' });
      return storedResult(key, json);
    },
    // A repeated model call would be paid again.
    journal: (step) => journalAt(store, planItemsPrefix(tenantId, sessionId, id, step), 1),
    written: (runId) => writtenBy(db, store, { tenantId, sessionId, runId }),
    givenCommands: async () => (await commands.given(tenantId, id)).map(readCommand),
    closeCommands: async (step, followed) =>
      (await commands.close(tenantId, id, step, followed)).map(readCommand),
    keepLesson: (lesson) => graph.keepLesson(tenantId, id, lesson),
  });
}

const readCommand = ({ id, command }: StoredCommand): GivenCommand => ({
  id,
  command: planCommandSchema.parse(command),
});

/** Reads the Markdown results of a run and lists its files. */
async function writtenBy(
  db: Database,
  store: ObjectStore,
  { tenantId, sessionId, runId }: { tenantId: string; sessionId: string; runId: string },
): Promise<Written> {
  const [results, files] = await Promise.all([
    new SessionResultRepository(db).ofRun(tenantId, runId),
    new ExportRepository(db).ofRuns(tenantId, sessionId, [runId]),
  ]);
  const manuscripts = new ManuscriptStore(store, tenantId, sessionId);
  const texts = results.flatMap(({ kind, name, objectKey }) => {
    const isMarkdown = findRunKind(kind)?.results[name]?.mediaType.startsWith('text/markdown') ?? false;
    return isMarkdown && objectKey !== null ? [{ kind, name, objectKey }] : [];
  });
  const read = texts.map(async ({ kind, name, objectKey }): Promise<[string, string]> => [
    name,
    // A manuscript is stored in segments.
    kind === 'document' && name === 'manuscript'
      ? await manuscripts.read(objectKey)
      : Buffer.from(await store.getBytes(objectKey)).toString('utf8'),
  ]);
  return {
    texts: Object.fromEntries(await Promise.all(read)),
    files: files.map(({ id, name, format, size }) => ({ export_id: id, name, format, bytes: Number(size) })),
  };
}
