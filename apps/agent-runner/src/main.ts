import 'reflect-metadata';
import { agentRunnerSettings, loadSettings } from '#config/settings.js';
import { jobWorker } from '#engine/queue/job-worker.js';
import { deadlineProcessor } from '#engine/decisions/answer.js';
import type { Engine } from '#engine/engine.js';
import { CANCEL_CHANNEL } from '#engine/runs/event-log.js';
import { RunProcessor } from '#engine/runs/advance.js';
import { ENGINE, InfrastructureModule, openInfrastructure } from '#kit/runtime/infrastructure.module.js';
import { main, logReady, stopOnSignal, kindsOf } from '#kit/runtime/main.js';
import { serveOwnMetrics } from '#kit/runtime/own-metrics.js';
import { NestLogger } from '#telemetry/nest-logger.js';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { features } from './features.js';
import { meaningOf } from '#knowledge/runner.js';
import { ModelEndpoints } from '#kit/model/model-endpoints.js';
import { ProfileStore } from '#kit/model/profile-store.js';
import { RunnerThreads, watchForBlocking } from '#kit/runner/block-watch.js';
import { ChatModels, FirstUse } from '#kit/runner/chat-models.js';
import { runnerServices } from '#kit/runner/services.js';
import { buildNoRunTrees } from '#kit/runner/without-run-trees.js';

const FEATURES_FILE = 'apps/agent-runner/src/features.ts';
/** Maximum number of expired deadlines that are applied concurrently. */
const DEADLINES_AT_ONCE = 4;

@Module({})
class RunnerModule {}

main('agent-runner', async () => {
  buildNoRunTrees();
  const settings = loadSettings(agentRunnerSettings, process.env);
  const infrastructure = await openInfrastructure('agent-runner', settings, kindsOf(features, FEATURES_FILE));
  const { log, db, store, queueBackend, listener } = infrastructure;
  const profiles = new ProfileStore(db);
  const firstUse = settings.MODEL_CHECK ? new FirstUse(profiles, log) : undefined;
  const options = {
    temperature: settings.OPENAI_TEMPERATURE,
    timeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1000,
  };
  const models = new ChatModels(new ModelEndpoints(db, settings), profiles, options, firstUse);
  const threads = new RunnerThreads(settings.AGENT_CONCURRENCY);
  const meaning = meaningOf(db, settings);
  const services = runnerServices(db, store, models, settings, threads.run);
  const dependencies = { db, store, settings, meaning };
  const kinds = new Map(
    features.map(({ facts, define }) => [facts.kind, define(services, dependencies)] as const),
  );
  await listener.listen(CANCEL_CHANNEL);
  const runs = {
    provide: RunProcessor,
    useFactory: (engine: Engine) =>
      new RunProcessor(engine, kinds, settings.UNSERVED_SECONDS, (runId) => firstUse?.ended(runId)),
    inject: [ENGINE],
  };
  const { onError } = queueBackend;
  const concurrency = settings.AGENT_CONCURRENCY;
  const providers = [
    runs,
    jobWorker({ queue: 'agent-runner', concurrency, onError }, (each: RunProcessor) => each, [RunProcessor]),
    jobWorker({ queue: 'human-input', concurrency: DEADLINES_AT_ONCE, onError }, deadlineProcessor, [ENGINE]),
  ];
  const imports = [InfrastructureModule.of(infrastructure, settings)];
  const app = await NestFactory.createApplicationContext(
    { module: RunnerModule, imports, providers },
    { logger: new NestLogger(log), abortOnError: false },
  );
  const stopWatching = watchForBlocking(settings.DATABASE_URL);
  const stopCancelling = listener.on(CANCEL_CHANNEL, (runId) => app.get(RunProcessor).cancel(runId));
  const stopMetrics = await serveOwnMetrics('agent-runner', settings, infrastructure);
  stopOnSignal(log, async () => {
    stopCancelling();
    await stopWatching();
    await app.close();
    await firstUse?.close();
    await threads.close();
    await meaning.search.close();
    await stopMetrics();
    await infrastructure.close();
  });
  logReady(log, {
    model: settings.OPENAI_API_KEY === undefined ? null : settings.OPENAI_MODEL,
    kinds: [...kinds.keys()],
    concurrency,
  });
});
