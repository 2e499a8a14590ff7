import { gatewaySettings, loadSettings } from '#config/settings.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { NotificationListener } from '#engine/events/listener.js';
import { knownKinds } from '#testing/known-kinds.js';
import { EVENTS_CHANNEL } from '#engine/runs/event-log.js';
import { openInfrastructure, type Infrastructure } from '#kit/runtime/infrastructure.module.js';
import { ApiClient } from '#testing/api-client.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { createTestStorage, type TestStorage } from '#testing/storage.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createGateway } from '../../apps/gateway/src/create-gateway.js';
import { features } from '../../apps/gateway/src/features.js';

/** Database, object store and queue of a gateway. */
interface Servers {
  database: TestDatabase;
  storage: TestStorage;
}

/** A gateway within the process of a spec, which can look into it and replace parts of it. No worker does its jobs. */
export class GatewayInProcess {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly url: string,
    readonly infrastructure: Infrastructure,
    readonly tenants: TenantRepository,
    private readonly servers: Servers,
    private readonly stops: (() => Promise<unknown>)[],
  ) {}

  /**
   * Starts a gateway on a free port.
   *
   * @param env settings in addition to those of its servers
   * @param beside gateway whose database and store it shares; without one it has its own
   */
  static async start(env: NodeJS.ProcessEnv = {}, beside?: GatewayInProcess): Promise<GatewayInProcess> {
    const servers = beside?.servers ?? {
      database: await createTestDatabase(),
      storage: await createTestStorage({ name: 'directory' }),
    };
    const { database, storage } = servers;
    const own = { ...storage.env, DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
    const settings = loadSettings(gatewaySettings, { ...own, ...env });
    const infrastructure = await openInfrastructure('gateway', settings, knownKinds);
    const listener = new NotificationListener(database.url, [EVENTS_CHANNEL]);
    await listener.start();
    const app = await createGateway(infrastructure, settings, listener, features);
    await app.listen(0, '127.0.0.1');
    return new GatewayInProcess(
      app,
      await app.getUrl(),
      infrastructure,
      new TenantRepository(infrastructure.db),
      servers,
      [
        () => listener.stop(),
        () => app.close(),
        () => infrastructure.close(),
        ...(beside ? [] : [() => database.drop(), () => storage.drop()]),
      ],
    );
  }

  /** A client with a key of a new tenant. */
  async client(tenant: string): Promise<ApiClient> {
    const tenantId = await this.tenants.create(tenant);
    return new ApiClient(this.url, await this.tenants.createApiKey(tenantId, 'test'));
  }

  /** Stops everything it started; gateways that share its servers are closed first. */
  async stop(): Promise<void> {
    for (const stop of this.stops) await stop();
  }
}
