import 'reflect-metadata';
import { gatewaySettings, loadSettings } from '#config/settings.js';
import type { Engine } from '#engine/engine.js';
import { startReconciler } from '#engine/recovery/reconciler.js';
import { ENGINE, openInfrastructure } from '#kit/runtime/infrastructure.module.js';
import { main, logReady, stopOnSignal, kindsOf } from '#kit/runtime/main.js';
import { createGateway } from './create-gateway.js';
import { features } from './features.js';
import { Dependencies } from '#gateway/health/dependencies.js';
import { trackRequests } from '#gateway/http/drain.js';

const FEATURES_FILE = 'apps/gateway/src/features.ts';
/** Milliseconds for open requests to finish during shutdown; the process has 10 s in total. */
const GRACE_MS = 5_000;

main('gateway', async () => {
  const settings = loadSettings(gatewaySettings, process.env);
  const infrastructure = await openInfrastructure('gateway', settings, kindsOf(features, FEATURES_FILE));
  const { log, listener } = infrastructure;
  const app = await createGateway(infrastructure, settings, listener, features);
  const drain = trackRequests(app.getHttpAdapter().getInstance());
  await app.listen(settings.GATEWAY_PORT, settings.GATEWAY_HOST);
  const reconciler = startReconciler(app.get<Engine>(ENGINE), listener, settings.DECISION_REMINDER_SECONDS);
  stopOnSignal(log, async () => {
    await reconciler.stop();
    await drain(GRACE_MS);
    await app.close();
    await infrastructure.close();
  });
  // The first check opens its connections, so that the health check is fast once the gateway reports "ready".
  const dependencies = app.get(Dependencies);
  await Promise.all([dependencies.states(), dependencies.migrations()]);
  logReady(log, { url: await app.getUrl() });
});
