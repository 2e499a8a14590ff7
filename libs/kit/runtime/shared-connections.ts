import type { CommonSettings } from '#config/settings.js';
import { createDatabase, type Database } from '#db/client.js';
import { NotificationListener } from '#engine/events/listener.js';
import { openQueueBackend, type QueueBackend } from '#engine/queue/backend.js';
import { logRepeatedErrors } from '#telemetry/log-repeated.js';
import type { Logger } from '#telemetry/logger.js';

interface Opened {
  db: Database;
  queueBackend: QueueBackend;
  /** Connects when an app listens on a channel. */
  listener: NotificationListener;
}

/** Connections of this process by their settings, with the number of apps that use them. */
const inUse = new Map<string, { opened: Promise<Opened>; apps: number }>();

/**
 * Connects an app to the database and the queue of its settings. Apps that run in one process share the
 * connections.
 *
 * @returns the connections, and a function that closes them when no app uses them any more
 */
export async function shareConnections(
  { DATABASE_URL, QUEUE_URL = DATABASE_URL, DATABASE_POOL }: CommonSettings,
  log: Logger,
): Promise<Opened & { release(): Promise<void> }> {
  const key = JSON.stringify([DATABASE_URL, QUEUE_URL, DATABASE_POOL]);
  const known = inUse.get(key);
  const shared = known ?? { opened: open(DATABASE_URL, QUEUE_URL, DATABASE_POOL, log), apps: 0 };
  shared.apps += 1;
  inUse.set(key, shared);
  const release = async () => {
    shared.apps -= 1;
    if (shared.apps > 0) return;
    inUse.delete(key);
    const { db, queueBackend, listener } = await shared.opened;
    await listener.stop();
    await queueBackend.close();
    await db.$disconnect();
  };
  try {
    return { ...(await shared.opened), release };
  } catch (error) {
    inUse.delete(key);
    throw error;
  }
}

async function open(databaseUrl: string, queueUrl: string, pool: number, log: Logger): Promise<Opened> {
  const db = createDatabase(databaseUrl, pool);
  const onError = logRepeatedErrors(log, 'queue error');
  // The workers listen on one of these connections, so at least one more is needed.
  const maxConnections = Math.max(pool, 2);
  const queueBackend = await openQueueBackend(queueUrl, { maxConnections, onError });
  return { db, queueBackend, listener: new NotificationListener(databaseUrl) };
}
